//! The cluster a process runs in, as its variables tell. The keys are those of the conventions,
//! and where these have none, those of nemo-lens.

use std::fs;
use std::path::Path;

use opentelemetry::KeyValue;

use crate::env::Env;
use crate::semconv::{deployment, gpu, k8s, slurm as jobs, wandb as wandbs};

/// The environment somebody named, such as `production`.
pub(super) fn environment(env: &Env, attributes: &mut Vec<KeyValue>) {
    let mut names = ["DEPLOYMENT_ENV", "ENVIRONMENT"].into_iter();
    let name = names.find_map(|name| env.get(name));
    attributes.extend(name.map(|name| KeyValue::new(deployment::NAME, name.to_owned())));
}

/// The pod, where there is one: what its specification hands on.
pub(super) fn kubernetes(env: &Env, attributes: &mut Vec<KeyValue>) {
    let is_pod = env.get("KUBERNETES_SERVICE_HOST").is_some()
        || Path::new("/var/run/secrets/kubernetes.io").exists();
    if !is_pod {
        return;
    }
    let fields = [
        (k8s::NAMESPACE_NAME, &["K8S_NAMESPACE"][..]),
        // A pod's host is called as the pod is.
        (k8s::POD_NAME, &["K8S_POD_NAME", "HOSTNAME"]),
        (k8s::POD_UID, &["K8S_POD_UID"]),
        (k8s::NODE_NAME, &["K8S_NODE_NAME"]),
        (k8s::CONTAINER_NAME, &["K8S_CONTAINER_NAME"]),
        (k8s::JOB_NAME, &["K8S_JOB_NAME"]),
    ];
    for (key, vars) in fields {
        let value = vars.iter().find_map(|var| env.get(var));
        attributes.extend(value.map(|value| KeyValue::new(key, value.to_owned())));
    }
}

/// The job of SLURM, where this is one.
pub(super) fn slurm(env: &Env, attributes: &mut Vec<KeyValue>) {
    let Some(id) = env.get("SLURM_JOB_ID") else {
        return;
    };
    attributes.push(KeyValue::new(jobs::JOB_ID, id.to_owned()));
    let texts = [
        (jobs::JOB_NAME, &["SLURM_JOB_NAME"][..]),
        (jobs::NODELIST, &["SLURM_JOB_NODELIST", "SLURM_NODELIST"]),
        (jobs::PARTITION, &["SLURM_JOB_PARTITION", "SLURM_PARTITION"]),
        (jobs::CLUSTER_NAME, &["SLURM_CLUSTER_NAME"]),
    ];
    for (key, vars) in texts {
        let value = vars.iter().find_map(|var| env.get(var));
        attributes.extend(value.map(|value| KeyValue::new(key, value.to_owned())));
    }
    let numbers = [
        (jobs::NNODES, &["SLURM_JOB_NUM_NODES", "SLURM_NNODES"][..]),
        (jobs::NTASKS, &["SLURM_NTASKS"]),
    ];
    for (key, vars) in numbers {
        let value = vars
            .iter()
            .find_map(|var| env.get(var)?.parse::<i64>().ok());
        attributes.extend(value.map(|value| KeyValue::new(key, value)));
    }
}

/// The project of Weights & Biases.
pub(super) fn wandb(env: &Env, attributes: &mut Vec<KeyValue>) {
    for (key, var) in [
        (wandbs::ENTITY, "WANDB_ENTITY"),
        (wandbs::PROJECT, "WANDB_PROJECT"),
    ] {
        let value = env.get(var);
        attributes.extend(value.map(|value| KeyValue::new(key, value.to_owned())));
    }
}

/// How many GPUs the process may use. No other program is asked.
pub(super) fn gpus(env: &Env, attributes: &mut Vec<KeyValue>) {
    let count = visible(env).or_else(|| {
        // The driver has a folder for each.
        let folders = fs::read_dir("/proc/driver/nvidia/gpus").ok()?;
        i64::try_from(folders.count()).ok()
    });
    attributes.extend(count.map(|count| KeyValue::new(gpu::COUNT, count)));
}

/// What variables say of it.
fn visible(env: &Env) -> Option<i64> {
    // Empty is none here, which is not the same as unset; so is all that follows a bad index.
    if let Some(devices) = env.raw("CUDA_VISIBLE_DEVICES") {
        let devices = devices.split(',').map(str::trim);
        let seen = devices.take_while(|device| !device.is_empty() && *device != "-1");
        return i64::try_from(seen.filter(|device| *device != "NoDevFiles").count()).ok();
    }
    env.get("SLURM_GPUS_ON_NODE")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(detect: fn(&Env, &mut Vec<KeyValue>), env: &[(&str, &str)]) -> String {
        let mut attributes = Vec::new();
        detect(&Env::from_iter(env.iter().copied()), &mut attributes);
        let shown = attributes
            .iter()
            .map(|pair| format!("{}={}", pair.key, pair.value));
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn gpus_are_those_the_process_may_see() {
        let count = |devices| of(gpus, &[("CUDA_VISIBLE_DEVICES", devices)]);
        assert_eq!(count("0,1,2"), "host.gpu.count=3");
        assert_eq!(count("GPU-8932f937, MIG-1"), "host.gpu.count=2");
        assert_eq!(count(""), "host.gpu.count=0");
        assert_eq!(count("0,-1,1"), "host.gpu.count=1");
        assert_eq!(of(gpus, &[("SLURM_GPUS_ON_NODE", "4")]), "host.gpu.count=4");
    }

    #[test]
    fn a_job_of_slurm_and_a_pod_say_what_they_are() {
        let job = [
            ("SLURM_JOB_ID", "42"),
            ("SLURM_NNODES", "2"),
            ("SLURM_NTASKS", "x"),
            ("SLURM_PARTITION", "gpu"),
        ];
        assert_eq!(
            of(slurm, &job),
            "slurm.job.id=42 slurm.partition=gpu slurm.nnodes=2"
        );
        assert_eq!(of(slurm, &job[1..]), "");
        let pod = [
            ("KUBERNETES_SERVICE_HOST", "10.0.0.1"),
            ("K8S_NAMESPACE", "ml"),
            ("HOSTNAME", "trainer-0"),
        ];
        assert_eq!(
            of(kubernetes, &pod),
            "k8s.namespace.name=ml k8s.pod.name=trainer-0"
        );
        assert_eq!(
            of(environment, &[("ENVIRONMENT", "staging")]),
            "deployment.environment.name=staging"
        );
    }
}
