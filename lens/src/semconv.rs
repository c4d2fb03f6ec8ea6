//! The attribute keys that go to the wire, spelled once.
//!
//! Sources: the OpenTelemetry semantic conventions 1.44 for everything but `nemo.*`, `dl.*`,
//! `slurm.*`, `wandb.*` and `host.gpu.count`, which are the names of nemo-lens, and `lens.*`, which
//! are ours.

#[cfg(feature = "sdk")]
pub(crate) mod service {
    pub(crate) const NAME: &str = "service.name";
    pub(crate) const VERSION: &str = "service.version";
    pub(crate) const INSTANCE_ID: &str = "service.instance.id";
}

#[cfg(feature = "sdk")]
pub(crate) mod telemetry {
    pub(crate) const SDK_NAME: &str = "telemetry.sdk.name";
    pub(crate) const SDK_LANGUAGE: &str = "telemetry.sdk.language";
    pub(crate) const SDK_VERSION: &str = "telemetry.sdk.version";
    pub(crate) const DISTRO_NAME: &str = "telemetry.distro.name";
    pub(crate) const DISTRO_VERSION: &str = "telemetry.distro.version";
}

#[cfg(feature = "sdk")]
pub(crate) mod process {
    pub(crate) const PID: &str = "process.pid";
    pub(crate) const EXECUTABLE_NAME: &str = "process.executable.name";
    pub(crate) const EXECUTABLE_PATH: &str = "process.executable.path";
}

#[cfg(feature = "sdk")]
pub(crate) mod host {
    pub(crate) const NAME: &str = "host.name";
    pub(crate) const ARCH: &str = "host.arch";
    pub(crate) const ID: &str = "host.id";
}

#[cfg(feature = "sdk")]
pub(crate) mod os {
    pub(crate) const TYPE: &str = "os.type";
    pub(crate) const NAME: &str = "os.name";
    pub(crate) const VERSION: &str = "os.version";
    pub(crate) const DESCRIPTION: &str = "os.description";
}

#[cfg(feature = "sdk")]
pub(crate) mod container {
    pub(crate) const ID: &str = "container.id";
}

#[cfg(feature = "sdk")]
pub(crate) mod deployment {
    pub(crate) const NAME: &str = "deployment.environment.name";
}

#[cfg(feature = "sdk")]
pub(crate) mod k8s {
    pub(crate) const NAMESPACE_NAME: &str = "k8s.namespace.name";
    pub(crate) const POD_NAME: &str = "k8s.pod.name";
    pub(crate) const POD_UID: &str = "k8s.pod.uid";
    pub(crate) const NODE_NAME: &str = "k8s.node.name";
    pub(crate) const CONTAINER_NAME: &str = "k8s.container.name";
    pub(crate) const JOB_NAME: &str = "k8s.job.name";
}

/// No conventions have these; nemo-lens does.
#[cfg(feature = "sdk")]
pub(crate) mod gpu {
    pub(crate) const COUNT: &str = "host.gpu.count";
}

#[cfg(feature = "sdk")]
pub(crate) mod slurm {
    pub(crate) const JOB_ID: &str = "slurm.job.id";
    pub(crate) const JOB_NAME: &str = "slurm.job.name";
    pub(crate) const NODELIST: &str = "slurm.nodelist";
    pub(crate) const PARTITION: &str = "slurm.partition";
    pub(crate) const CLUSTER_NAME: &str = "slurm.cluster.name";
    pub(crate) const NNODES: &str = "slurm.nnodes";
    pub(crate) const NTASKS: &str = "slurm.ntasks";
}

#[cfg(feature = "sdk")]
pub(crate) mod wandb {
    pub(crate) const ENTITY: &str = "wandb.entity";
    pub(crate) const PROJECT: &str = "wandb.project";
}

/// A process among those of its job.
#[cfg(feature = "sdk")]
pub(crate) mod dl {
    pub(crate) const RANK: &str = "dl.rank";
    pub(crate) const WORLD_SIZE: &str = "dl.world_size";
    pub(crate) const LOCAL_RANK: &str = "dl.local_rank";
}

#[cfg(feature = "tower")]
pub(crate) mod http {
    pub(crate) const METHOD: &str = "http.request.method";
    pub(crate) const METHOD_ORIGINAL: &str = "http.request.method_original";
    pub(crate) const ROUTE: &str = "http.route";
    pub(crate) const STATUS_CODE: &str = "http.response.status_code";
}

#[cfg(feature = "tower")]
pub(crate) mod url {
    pub(crate) const PATH: &str = "url.path";
    pub(crate) const QUERY: &str = "url.query";
    pub(crate) const SCHEME: &str = "url.scheme";
}

#[cfg(feature = "tower")]
pub(crate) mod server {
    pub(crate) const ADDRESS: &str = "server.address";
    pub(crate) const PORT: &str = "server.port";
}

#[cfg(feature = "tower")]
pub(crate) mod client {
    pub(crate) const ADDRESS: &str = "client.address";
}

#[cfg(feature = "tower")]
pub(crate) mod network {
    pub(crate) const PEER_ADDRESS: &str = "network.peer.address";
    pub(crate) const PEER_PORT: &str = "network.peer.port";
    pub(crate) const PROTOCOL_VERSION: &str = "network.protocol.version";
}

#[cfg(feature = "tower")]
pub(crate) mod user_agent {
    pub(crate) const ORIGINAL: &str = "user_agent.original";
}

#[cfg(feature = "tower")]
pub(crate) mod error {
    pub(crate) const TYPE: &str = "error.type";
}

pub(crate) mod code {
    pub(crate) const FUNCTION_NAME: &str = "code.function.name";
    pub(crate) const FILE_PATH: &str = "code.file.path";
    pub(crate) const LINE_NUMBER: &str = "code.line.number";

    /// What a person who reads a tree can do without.
    #[cfg(feature = "sdk")]
    pub(crate) const ALL: [&str; 3] = [FUNCTION_NAME, FILE_PATH, LINE_NUMBER];
}

#[cfg(feature = "sdk")]
pub(crate) mod exception {
    pub(crate) const TYPE: &str = "exception.type";
    pub(crate) const MESSAGE: &str = "exception.message";
    pub(crate) const STACKTRACE: &str = "exception.stacktrace";
}

#[cfg(feature = "sdk")]
pub(crate) mod otel {
    pub(crate) const DROPPED_ATTRIBUTES_COUNT: &str = "otel.dropped_attributes_count";
}

/// The keys under which code names the event that a log record is.
#[cfg(feature = "sdk")]
pub(crate) mod event {
    pub(crate) const NAMES: [&str; 2] = ["event.name", "otel.event.name"];
}

/// How many log records a scope held back, by the setting that did it.
#[cfg(feature = "sdk")]
pub(crate) mod held_back {
    pub(crate) const OVER_RATE: &str = "lens.held_back.max_per_second";
    pub(crate) const NOT_SAMPLED: &str = "lens.held_back.sample";
}

#[cfg(feature = "sdk")]
pub(crate) mod nemo {
    /// Set on a span that was still open when telemetry stopped.
    pub(crate) const SPAN_TRUNCATED: &str = "nemo.span.truncated";
    pub(crate) const RUN_ID: &str = "nemo.run.id";
    pub(crate) const USER_ID: &str = "nemo.user.id";
}
