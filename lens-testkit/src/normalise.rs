//! Replaces what differs from run to run, wherever it stands in a line.

use std::collections::HashMap;

use lens::opentelemetry::TraceId;

use crate::model::Snapshot;

/// Knows the ids of one capture, and what is shown in their place.
pub(crate) struct Normaliser {
    ids: HashMap<String, String>,
    temporary: String,
    process: String,
}

impl Normaliser {
    /// Shows ids without telling one from another.
    pub(crate) fn anonymous(all: &Snapshot) -> Self {
        let mut normaliser = Self {
            ids: HashMap::new(),
            temporary: std::env::temp_dir()
                .to_string_lossy()
                .trim_end_matches('/')
                .to_owned(),
            process: std::process::id().to_string(),
        };
        for span in &all.spans {
            let spans = span
                .parent
                .into_iter()
                .chain(span.links.iter().map(|link| link.span_id));
            spans.for_each(|id| normaliser.show(id, "[span]"));
            let linked = span.links.iter().map(|link| link.trace_id);
            linked
                .chain([span.trace_id])
                .for_each(|id| normaliser.show(id, "[trace]"));
        }
        for (trace_id, span_id) in all.logs.iter().filter_map(|log| log.ids) {
            normaliser.show(trace_id, "[trace]");
            normaliser.show(span_id, "[span]");
        }
        for span in &all.spans {
            let shown = format!("[span {:?}]", span.name);
            normaliser.ids.insert(span.span_id.to_string(), shown);
        }
        normaliser
    }

    /// Shows traces by their numbers in this order.
    pub(crate) fn numbered(all: &Snapshot, traces: impl Iterator<Item = TraceId>) -> Self {
        let mut normaliser = Self::anonymous(all);
        for (index, trace) in traces.enumerate() {
            let shown = format!("[trace {}]", index + 1);
            normaliser.ids.insert(trace.to_string(), shown);
        }
        normaliser
    }

    fn show(&mut self, id: impl ToString, shown: &str) {
        self.ids
            .entry(id.to_string())
            .or_insert_with(|| shown.to_owned());
    }

    /// Normalises one line.
    pub(crate) fn apply(&self, line: &str) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            let (shown, length) = self.at(rest, &out);
            match shown {
                Some(shown) => out.push_str(&shown),
                None => out.push_str(rest.get(..length).unwrap_or_default()),
            }
            rest = rest.get(length.max(c.len_utf8())..).unwrap_or_default();
        }
        out
    }

    /// What is shown for the beginning of `rest`, which follows `before`, and how long it is.
    fn at(&self, rest: &str, before: &str) -> (Option<String>, usize) {
        if self.is_temporary(rest, before) {
            return (Some("[tmp]".to_owned()), self.temporary.len());
        }
        let is_word = |c: char| c.is_ascii_alphanumeric();
        let length = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        if length == 0 {
            return (None, rest.chars().next().map_or(0, char::len_utf8));
        }
        if rest.get(..UUID).is_some_and(is_uuid) {
            return (Some("[uuid]".to_owned()), UUID);
        }
        let word = rest.get(..length).unwrap_or_default();
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        let shown = if let Some(shown) = self.ids.get(word) {
            Some(shown.clone())
        } else if is_number && is_after_address(before) {
            Some("[port]".to_owned())
        } else if word == self.process && word.len() > 2 {
            Some("[pid]".to_owned())
        } else {
            None
        };
        (shown, length)
    }

    /// Whether the folder for temporary files stands here, and not a part of another path.
    fn is_temporary(&self, rest: &str, before: &str) -> bool {
        let part_of_path = |c: char| c.is_alphanumeric() || "/_-.".contains(c);
        let Some(after) = rest.strip_prefix(self.temporary.as_str()) else {
            return false;
        };
        self.temporary.len() > 1
            && !before.ends_with(part_of_path)
            && after
                .chars()
                .next()
                .is_none_or(|c| c == '/' || !part_of_path(c))
    }
}

/// The length of a UUID.
const UUID: usize = 36;

/// 8-4-4-4-12 hexadecimal digits.
fn is_uuid(text: &str) -> bool {
    let groups: Vec<_> = text.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && (groups.iter()).all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether a loopback address and a colon stand right before.
fn is_after_address(before: &str) -> bool {
    let addresses = ["127.0.0.1:", "localhost:", "[::1]:"];
    addresses.iter().any(|address| before.ends_with(address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_from_run_to_run_is_replaced() {
        let normaliser = Normaliser {
            ids: HashMap::from([("ab12".to_owned(), "[trace 1]".to_owned())]),
            temporary: "/tmp".to_owned(),
            process: "4711".to_owned(),
        };
        for (line, shown) in [
            ("00-ab12-01", "00-[trace 1]-01"),
            ("xab12", "xab12"),
            ("/tmp/x /tmp", "[tmp]/x [tmp]"),
            ("/var/tmp/x /tmpl", "/var/tmp/x /tmpl"),
            ("127.0.0.1:80 10.0.0.1:80", "127.0.0.1:[port] 10.0.0.1:80"),
            ("pid 4711, 47110", "pid [pid], 47110"),
            ("67e55044-10b1-426f-9247-bb680e5fe0c8.", "[uuid]."),
            ("żółć → 7", "żółć → 7"),
        ] {
            assert_eq!(normaliser.apply(line), shown);
        }
    }
}
