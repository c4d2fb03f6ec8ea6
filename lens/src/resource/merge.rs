//! What is detected, below what code and environment say.

use opentelemetry::KeyValue;
use opentelemetry_sdk::Resource;

use super::cluster::{environment, gpus, kubernetes, slurm, wandb};
use super::machine::{container, host, os, process};
use crate::config::{Config, Identity, Job};
use crate::env::Env;
use crate::ids::uuid;
use crate::semconv::{dl, nemo, service, telemetry};

/// Makes the resource: what is detected, below the program's attributes, below those of the
/// environment.
///
/// Built from empty: the SDK's own detectors read the environment by other rules.
pub(crate) fn resource(config: &Config, env: &Env) -> Resource {
    let identity = &config.identity;
    let mut attributes = vec![
        KeyValue::new(telemetry::SDK_NAME, "opentelemetry"),
        KeyValue::new(telemetry::SDK_LANGUAGE, "rust"),
        KeyValue::new(telemetry::SDK_VERSION, SDK_VERSION),
        KeyValue::new(telemetry::DISTRO_NAME, "lens"),
        KeyValue::new(telemetry::DISTRO_VERSION, env!("CARGO_PKG_VERSION")),
    ];
    for detect in [
        process,
        host,
        os,
        container,
        environment,
        kubernetes,
        slurm,
        wandb,
        gpus,
    ] {
        detect(env, &mut attributes);
    }
    attributes.extend(of_run(identity, config.job));
    if !identity.version.is_empty() {
        attributes.push(KeyValue::new(service::VERSION, identity.version.clone()));
    }
    attributes.extend(identity.attributes.iter().cloned());
    // Settled with all of the above in mind.
    attributes.push(KeyValue::new(service::NAME, identity.service.clone()));
    Resource::builder_empty()
        .with_attributes(attributes)
        .build()
}

/// The run, and this process in it.
fn of_run(identity: &Identity, job: Option<Job>) -> Vec<KeyValue> {
    let mut attributes = Vec::new();
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    if let Some(job) = job {
        attributes.push(KeyValue::new(dl::RANK, number(job.rank)));
        let size = job
            .world_size
            .map(|size| KeyValue::new(dl::WORLD_SIZE, number(size)));
        let local = job
            .local_rank
            .map(|rank| KeyValue::new(dl::LOCAL_RANK, number(rank)));
        attributes.extend(size.into_iter().chain(local));
    }
    let run_id = identity.run_id.as_ref();
    attributes.extend(run_id.map(|id| KeyValue::new(nemo::RUN_ID, id.clone())));
    let user_id = identity.user_id.as_ref();
    attributes.extend(user_id.map(|id| KeyValue::new(nemo::USER_ID, id.clone())));
    let instance = match (run_id, job) {
        (Some(run), Some(job)) => format!("{run}-rank{}", job.rank),
        _ => uuid(),
    };
    attributes.push(KeyValue::new(service::INSTANCE_ID, instance));
    attributes
}

/// Of the `opentelemetry_sdk` in Cargo.toml; `laws.rs` compares the two.
const SDK_VERSION: &str = "0.33.1";
