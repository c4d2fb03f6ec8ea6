//! A search that must find nothing.

use crate::attribute::fail;
use crate::capture::Capture;
use crate::model::{LogData, Snapshot, SpanData, Status, Value};
use crate::program::Run;
use crate::receiver::Receiver;

/// Something with text in it that may hold a secret.
pub trait Searchable {
    /// Returns every text and where it stands.
    fn texts(&self) -> Vec<(String, String)>;
}

impl Searchable for Capture {
    fn texts(&self) -> Vec<(String, String)> {
        of_snapshot(&self.snapshot())
    }
}

impl Searchable for Receiver {
    fn texts(&self) -> Vec<(String, String)> {
        let mut texts = of_snapshot(&self.snapshot());
        for (index, attempt) in self.attempts().into_iter().enumerate() {
            let at = format!("attempt {}", index + 1);
            texts.push((format!("the path of {at}"), attempt.path));
            // Headers may hold secrets: that is how a sender is known. Bodies may not.
            let body = String::from_utf8_lossy(&attempt.body).into_owned();
            texts.push((format!("the body of {at}"), body));
        }
        texts
    }
}

impl Searchable for Run {
    fn texts(&self) -> Vec<(String, String)> {
        vec![
            ("stdout".to_owned(), self.stdout.clone()),
            ("stderr".to_owned(), self.stderr.clone()),
        ]
    }
}

fn of_snapshot(all: &Snapshot) -> Vec<(String, String)> {
    let mut texts = Vec::new();
    all.logs.iter().for_each(|log| of_log(log, &mut texts));
    all.spans.iter().for_each(|span| of_span(span, &mut texts));
    texts
}

fn of_log(log: &LogData, texts: &mut Vec<(String, String)>) {
    of_value("the body of a log", &log.body, texts);
    texts.push(("the target of a log".to_owned(), log.target.clone()));
    of_attributes("a log", &log.attributes, texts);
    log.resource
        .iter()
        .for_each(|(key, value)| of_value(&format!("resource {key}"), value, texts));
}

fn of_span(span: &SpanData, texts: &mut Vec<(String, String)>) {
    texts.push(("the name of a span".to_owned(), span.name.clone()));
    if let Status::Error(description) = &span.status {
        texts.push(("the status of a span".to_owned(), description.clone()));
    }
    of_attributes("a span", &span.attributes, texts);
    for event in &span.events {
        texts.push(("the name of an event".to_owned(), event.name.clone()));
        of_attributes("an event", &event.attributes, texts);
    }
    (span.resource.iter())
        .for_each(|(key, value)| of_value(&format!("resource {key}"), value, texts));
}

fn of_attributes(of: &str, attributes: &[(String, Value)], texts: &mut Vec<(String, String)>) {
    for (key, value) in attributes {
        texts.push((format!("a key of {of}"), key.clone()));
        of_value(&format!("{key} of {of}"), value, texts);
    }
}

fn of_value(place: &str, value: &Value, texts: &mut Vec<(String, String)>) {
    match value {
        Value::Str(text) => texts.push((place.to_owned(), text.clone())),
        Value::Bytes(bytes) => {
            texts.push((
                place.to_owned(),
                String::from_utf8_lossy(bytes).into_owned(),
            ));
        }
        Value::List(values) => values
            .iter()
            .for_each(|value| of_value(place, value, texts)),
        Value::Map(entries) => of_attributes(place, entries, texts),
        other => texts.push((place.to_owned(), other.to_string())),
    }
}

/// Fails where a secret stands, without showing it.
#[track_caller]
pub fn no_secrets(searched: &[&dyn Searchable], secrets: &[&str]) {
    let texts: Vec<_> = searched
        .iter()
        .flat_map(|searched| searched.texts())
        .collect();
    if texts.iter().all(|(_, text)| text.is_empty()) {
        fail("there is nothing to search for secrets: did the code run inside the capture?");
    }
    for (index, secret) in secrets.iter().enumerate() {
        if let Some((place, _)) = texts.iter().find(|(_, text)| text.contains(secret)) {
            fail(&format!(
                "secret {} of {} stands in {place}",
                index + 1,
                secrets.len()
            ));
        }
    }
}

/// Asserts that no secret stands in anything captured, received or printed; a failure says
/// where one does, and does not show it.
///
/// ```
/// let cap = lens_testkit::Capture::new();
/// cap.in_scope(|| log::info!("logged in"));
/// lens_testkit::no_secrets!(cap, ["SECRETCANARY"]);
/// ```
///
/// # Panics
///
/// When one does, and when there is nothing to search.
#[macro_export]
macro_rules! no_secrets {
    ($($searched:ident),+, [$($secret:expr),+ $(,)?] $(,)?) => {
        $crate::__private::no_secrets(&[$(&$searched),+], &[$($secret),+])
    };
}
