//! Who sends: what code and environment say of the program, before anything is detected.
//!
//! <https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/#general-sdk-configuration>

use opentelemetry::KeyValue;

use super::pairs::parse_attributes;
use super::rank::Job;
use super::read::{Origin, Reader};
use super::{Builder, REDACTED, Redact, vars};
use crate::env;
use crate::semconv::service;

/// Who sends.
#[derive(Debug)]
pub(crate) struct Identity {
    pub(crate) service: String,
    /// Empty where nobody knows.
    pub(crate) version: String,
    /// Shared by all processes of a job.
    pub(crate) run_id: Option<String>,
    pub(crate) user_id: Option<String>,
    /// Resource attributes of the program's own, and above them of the environment.
    pub(crate) attributes: Vec<KeyValue>,
}

/// Settles who sends.
pub(super) fn identity(
    builder: &Builder,
    job: Option<Job>,
    redact: &Redact,
    read: &mut Reader<'_>,
) -> Identity {
    let given = given(redact, read);
    let of_env = |key: &str| {
        let found = given.iter().rev().find(|(given, _)| given == key);
        found.map(|(_, value)| value.clone())
    };
    let of_code = |key: &str| {
        let found = builder
            .resource
            .iter()
            .rev()
            .find(|pair| pair.key.as_str() == key);
        found.map(|pair| pair.value.to_string())
    };
    let code = builder.service.clone().or_else(|| of_code(service::NAME));
    let (service, origin) = service_name(builder, of_env(service::NAME), code, read);
    read.settle(vars::SERVICE_NAME, &service, origin);
    let version = of_env(service::VERSION)
        .or(builder.version.clone())
        .or_else(|| of_code(service::VERSION));
    let version = version.or(builder.package.version().map(str::to_owned));
    let run_id = read.words(vars::RUN_ID, builder.run_id.as_deref());
    let mut run_id = run_id.map(str::to_owned);
    if run_id.is_none()
        // What torchrun says where nobody names a run.
        && let Some(told) = vars::RUN_IDS.iter().find_map(|var| read.text(var)).filter(|id| *id != "none")
    {
        read.settle(vars::RUN_ID, told, Origin::Detected);
        run_id = Some(told.to_owned());
    }
    if let Some(job) = job {
        let size = job
            .world_size
            .map_or(String::new(), |size| format!(" of {size}"));
        let origin = match builder.rank {
            Some(_) => Origin::Code,
            None => Origin::Detected,
        };
        read.settle("rank", format!("{}{size}", job.rank), origin);
    }
    let user_id = read.words(vars::USER_ID, builder.user_id.as_deref());
    let of_env = given
        .into_iter()
        .map(|(key, value)| KeyValue::new(key, value));
    Identity {
        service,
        version: version.unwrap_or_default(),
        run_id,
        user_id: user_id.map(str::to_owned),
        attributes: builder.resource.iter().cloned().chain(of_env).collect(),
    }
}

/// The attributes of the environment; all or none of them.
fn given(redact: &Redact, read: &mut Reader<'_>) -> Vec<(String, String)> {
    let var = vars::RESOURCE_ATTRIBUTES;
    let Some(text) = read.words(var, None) else {
        return Vec::new();
    };
    for entry in text.split(',') {
        if let Some((key, value)) = entry.split_once('=')
            && value.contains('=')
        {
            let key = key.trim();
            read.advise(format!(
                "the value of {key:?} in {var} has an `=`, which is taken for a part of it; to be \
                 understood by everybody it is written %3D"
            ));
        }
    }
    let given = parse_attributes(text);
    let shown = match &given {
        Ok(given) => {
            let shown = given.iter().map(|(key, value)| {
                let value = if redact.hides(key) { REDACTED } else { value };
                format!("{key}={value}")
            });
            shown.collect::<Vec<_>>().join(",")
        }
        Err(fault) => {
            read.say(format!(
                "invalid value for {var}: {fault}; none of its attributes is used"
            ));
            "none, since it is invalid".to_owned()
        }
    };
    read.settle(var, shown, Origin::Variable(var.into()));
    given.unwrap_or_default()
}

fn service_name(
    builder: &Builder,
    of_attributes: Option<String>,
    code: Option<String>,
    read: &mut Reader<'_>,
) -> (String, Origin) {
    if let Some(found) = read.find(vars::SERVICE_NAME) {
        return (found.text.to_owned(), Origin::Variable(found.var));
    }
    if let Some(name) = of_attributes {
        return (name, Origin::Variable(vars::RESOURCE_ATTRIBUTES.into()));
    }
    if let Some(name) = code {
        return (name, Origin::Code);
    }
    if let Some(name) = builder.package.name {
        return (name.to_owned(), Origin::Detected);
    }
    let program = env::this_program();
    let program = program.as_deref().and_then(|path| path.file_name());
    let name = match program {
        Some(program) => format!("unknown_service:{}", program.to_string_lossy()),
        None => "unknown_service".to_owned(),
    };
    (name, Origin::Default)
}
