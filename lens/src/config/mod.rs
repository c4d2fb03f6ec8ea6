//! From what was asked (code, environment) to what is in effect.
//!
//! `builder` collects, `resolve` settles; after it nothing is optional and nobody can tell
//! where a value came from.

mod batching;
mod builder;
mod endpoint;
mod explain;
mod export;
mod filter;
mod identity;
mod limits;
mod list;
mod local;
mod metrics;
mod names;
mod near;
mod otlp;
mod own;
mod pairs;
mod propagators;
mod rank;
mod read;
mod records;
mod redact;
mod resolve;
mod route;
mod sampler;
mod setters;
mod settings;
mod strategy;
mod table;
mod target;
mod tls;
mod tracing;
mod values;
mod vars;
mod views;

pub use batching::Batch;
pub use builder::Builder;
pub use export::Export;
pub use limits::Limits;
pub use local::{IntoLocal, Local, marker};
pub use strategy::{IntoStrategy, Strategy};
pub use tracing::{IntoTracing, Tracing};

pub(crate) use batching::Batching;
pub(crate) use builder::{Package, Root};
pub(crate) use explain::Explain;
pub(crate) use filter::Filter;
pub(crate) use identity::Identity;
pub(crate) use limits::{LogLimits, SpanLimits};
pub(crate) use local::LocalKind;
pub(crate) use metrics::Metrics;
pub(crate) use names::{names_crate, parse_level, parse_names};
pub(crate) use own::{LogSink, Own, OwnView, SpanSink};
pub(crate) use pairs::{percent_decoded, percent_decoded_bytes};
pub(crate) use propagators::Propagator;
pub(crate) use rank::Job;
pub(crate) use read::{Origin, Settled};
pub(crate) use records::{RecordRules, resolve_bridge};
pub(crate) use redact::{REDACTED, Redact};
pub(crate) use resolve::{Config, resolve};
pub(crate) use route::Route;
pub(crate) use table::{Decision, Table};
pub(crate) use target::{Protocol, Target};
pub(crate) use tls::Tls;
#[cfg(feature = "tls")]
pub(crate) use tls::provider;
#[cfg(feature = "tracing")]
pub(crate) use tracing::TracingKind;
pub(crate) use views::View;
