//! Replaces what differs from run to run, wherever it stands in a line.

use std::collections::HashMap;

use crate::model::Snapshot;

/// Knows the ids of one capture by their ordinals.
pub(crate) struct Normaliser {
    /// Hexadecimal ids, and what is shown in their place.
    ids: HashMap<String, String>,
    temporary: String,
    process: String,
}

impl Normaliser {
    pub(crate) fn new(all: &Snapshot) -> Self {
        let mut ids = HashMap::new();
        let mut traces = 0;
        for (index, span) in all.spans.iter().enumerate() {
            ids.entry(span.trace_id.to_string()).or_insert_with(|| {
                traces += 1;
                format!("[trace {traces}]")
            });
            let shown = format!("[span {} {:?}]", index + 1, span.name);
            ids.insert(span.span_id.to_string(), shown);
        }
        let temporary = std::env::temp_dir().to_string_lossy().into_owned();
        Self {
            ids,
            temporary: temporary.trim_end_matches('/').to_owned(),
            process: std::process::id().to_string(),
        }
    }

    /// Normalises one line.
    pub(crate) fn apply(&self, line: &str) -> String {
        let line = if self.temporary.len() > 1 {
            line.replace(&self.temporary, "[tmp]")
        } else {
            line.to_owned()
        };
        let mut out = String::with_capacity(line.len());
        let mut word = String::new();
        for c in line.chars().chain(['\0']) {
            if c.is_ascii_alphanumeric() || (c == '-' && !word.is_empty()) {
                word.push(c);
                continue;
            }
            let before = out.clone();
            out.push_str(&self.word(&word, &before));
            word.clear();
            if c != '\0' {
                out.push(c);
            }
        }
        out
    }

    /// What is shown for a run of letters, digits and dashes that follows `before`.
    fn word(&self, word: &str, before: &str) -> String {
        if let Some(shown) = self.ids.get(word) {
            return shown.clone();
        }
        if is_uuid(word) {
            return "[uuid]".to_owned();
        }
        let is_number = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && is_after_address(before) {
            return "[port]".to_owned();
        }
        if word == self.process && word.len() > 2 {
            return "[pid]".to_owned();
        }
        match word.strip_suffix(&self.process) {
            Some(rest) if rest.ends_with('-') && self.process.len() > 2 => format!("{rest}[pid]"),
            _ => word.to_owned(),
        }
    }
}

/// 8-4-4-4-12 hexadecimal digits.
fn is_uuid(word: &str) -> bool {
    let groups: Vec<_> = word.split('-').collect();
    groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
        && groups
            .iter()
            .all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Whether a loopback address and a colon stand right before.
fn is_after_address(before: &str) -> bool {
    ["127.0.0.1:", "localhost:", "[::1]:"]
        .iter()
        .any(|address| before.ends_with(address))
}
