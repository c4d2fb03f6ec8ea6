//! What is in effect and why: the answer to "nothing shows up".

use std::fmt;

use serde_json::{Value, json};

use crate::config::Origin;
use crate::state::{self, Facts};
use crate::stats::Signal;
use crate::transport::{Probe, probe};

/// Tells what is in effect, where each value came from, and what each receiver answers.
///
/// Sends an empty request to each receiver and waits for the answers, 5 s at most. Secrets are
/// not shown. Where lens was never started there is little to tell. Anything may call it, tasks
/// too, which it blocks that long.
///
/// ```
/// let explanation = lens::explain();
/// println!("{explanation}");
/// assert!(explanation.to_json().contains("\"settings\""));
/// ```
///
/// `NEMO_LENS_EXPLAIN=1` prints the text when the program starts, `NEMO_LENS_EXPLAIN=json` the
/// JSON.
#[must_use]
pub fn explain() -> Explanation {
    let facts = state::facts();
    let targets = facts.as_ref().map(|facts| facts.targets.clone());
    Explanation(facts.map(|facts| {
        Explained {
            enabled: facts.enabled,
            settings: (facts.settled.iter())
                .map(|settled| Setting {
                    name: settled.name.to_owned(),
                    value: settled.value.clone(),
                    origin: shown(&settled.origin, settled.name),
                })
                .collect(),
            notices: facts.notices.clone(),
            unknown: facts.unknown.clone(),
            resource: facts.resource.clone(),
            scopes: Facts::scopes().iter().map(shown_scope).collect(),
            groups: Facts::groups()
                .map(|(name, is_on)| (name.to_owned(), is_on))
                .collect(),
            receivers: probe(targets.unwrap_or_default()),
        }
    }))
}

/// What [`explain`] tells: text for a person by `Display`, or [JSON](Self::to_json).
#[derive(Debug)]
pub struct Explanation(Option<Explained>);

#[derive(Debug)]
struct Explained {
    enabled: bool,
    settings: Vec<Setting>,
    notices: Vec<String>,
    unknown: Vec<(String, String)>,
    resource: Vec<(String, String)>,
    scopes: Vec<String>,
    groups: Vec<(String, bool)>,
    receivers: Vec<(Signal, Probe)>,
}

#[derive(Debug)]
struct Setting {
    name: String,
    value: String,
    origin: String,
}

impl Explanation {
    /// Returns all of it as one line of JSON: `enabled`, `settings` (each with `name`, `value`,
    /// `origin`), `notices`, `unknown` (with `name`, `reason`), `resource`, `scopes`, `groups`
    /// (with `name`, `on`), and `receivers` (with `signal`, `endpoint`, `ok`, `answer`,
    /// `milliseconds`).
    #[must_use]
    pub fn to_json(&self) -> String {
        let Some(explained) = &self.0 else {
            return json!({ "enabled": false, "settings": [] }).to_string();
        };
        let list = |items: Vec<Value>| Value::Array(items);
        let setting = |setting: &Setting| json!({ "name": setting.name, "value": setting.value, "origin": setting.origin });
        let receiver = |(signal, probe): &(Signal, Probe)| {
            json!({
                "signal": signal.path(),
                "endpoint": probe.endpoint,
                "ok": probe.answer.is_ok(),
                "answer": match &probe.answer {
                    Ok(answer) => answer,
                    Err(fault) => fault,
                },
                "milliseconds": u64::try_from(probe.took.as_millis()).unwrap_or(u64::MAX),
            })
        };
        let unknown = |(name, reason): &(String, String)| json!({ "name": name, "reason": reason });
        let group = |(name, is_on): &(String, bool)| json!({ "name": name, "on": is_on });
        json!({
            "enabled": explained.enabled,
            "settings": list(explained.settings.iter().map(setting).collect()),
            "notices": explained.notices,
            "unknown": list(explained.unknown.iter().map(unknown).collect()),
            "resource": explained.resource.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
            "scopes": explained.scopes,
            "groups": list(explained.groups.iter().map(group).collect()),
            "receivers": list(explained.receivers.iter().map(receiver).collect()),
        })
        .to_string()
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(explained) = &self.0 else {
            return f.write_str("lens was not started in this process");
        };
        f.write_str(if explained.enabled {
            "lens is on; in effect are"
        } else {
            "lens is off in this process; settled are"
        })?;
        for Setting {
            name,
            value,
            origin,
        } in &explained.settings
        {
            write!(f, "\n  {name} = {value} ({origin})")?;
        }
        part(f, "what could not be honoured", &explained.notices)?;
        let unknown = explained.unknown.iter();
        let unknown: Vec<_> = unknown
            .map(|(name, reason)| format!("{name}: {reason}"))
            .collect();
        part(f, "variables without effect", &unknown)?;
        let resource = explained.resource.iter();
        let resource: Vec<_> = resource
            .map(|(key, value)| format!("{key} = {value}"))
            .collect();
        part(f, "the resource", &resource)?;
        part(f, "scopes in this program", &explained.scopes)?;
        let groups = explained.groups.iter();
        let groups: Vec<_> = groups
            .map(|(name, is_on)| format!("{name}: {}", if *is_on { "on" } else { "off" }))
            .collect();
        part(f, "span groups in this program", &groups)?;
        let receivers = explained.receivers.iter();
        let receivers: Vec<_> = receivers.map(|(_, probe)| probe.to_string()).collect();
        part(f, "what receivers answer", &receivers)
    }
}

/// A headline and its lines; nothing where there is none.
fn part(f: &mut fmt::Formatter<'_>, headline: &str, lines: &[String]) -> fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    write!(f, "\n{headline}:")?;
    lines.iter().try_for_each(|line| write!(f, "\n  {line}"))
}

/// Where a value came from, seen from its own variable.
fn shown(origin: &Origin, name: &str) -> String {
    match origin {
        Origin::Variable(var) if var == name => "variable".to_owned(),
        Origin::Variable(var) => format!("variable {var}"),
        Origin::Code => "code".to_owned(),
        Origin::Detected => "detected".to_owned(),
        Origin::Default => "default".to_owned(),
    }
}

fn shown_scope(scope: &crate::scopes::Settings) -> String {
    let mut shown = scope.module.to_owned();
    let level = scope
        .level
        .map(|level| format!("level {level:?}").to_ascii_lowercase());
    let most = scope
        .max_per_second
        .map(|most| format!("max_per_second {most}"));
    let sample = scope.sample.map(|part| format!("sample {part}"));
    let said: Vec<_> = [level, most, sample].into_iter().flatten().collect();
    if !said.is_empty() {
        shown.push_str(": ");
        shown.push_str(&said.join(", "));
    }
    shown
}
