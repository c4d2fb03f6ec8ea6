//! The subscriber of the process, and what the console of `log` is beside it.

use std::io;

use tracing_core::dispatcher::{get_default, set_global_default};
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::subscriber::Interest;
use tracing_core::{Dispatch, Event, LevelFilter, Metadata, Subscriber};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Context, Filter, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry, fmt};

use super::forward::Forward;
use super::layer::layer;
use super::wanted::Wanted;
use crate::config::{IntoTracing, LocalKind, Tracing, TracingKind, marker};
use crate::{diag, os};

impl<S> IntoTracing<marker::Subscriber> for S
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync + 'static,
{
    fn into_tracing(self) -> Tracing {
        let has_layer = (&self as &dyn Subscriber).is::<Wanted>();
        Tracing(TracingKind::Subscriber(match has_layer {
            true => Dispatch::new(self),
            false => Dispatch::new(self.with(layer())),
        }))
    }
}

/// Makes what was asked for the subscriber of the process; returns the console of `log` beside
/// it.
pub(crate) fn install(asked: Option<Tracing>, local: LocalKind) -> LocalKind {
    let kind = asked.map_or(TracingKind::Off, |asked| asked.0);
    let (subscriber, prints) = match (kind, &local) {
        (TracingKind::Off, _) => return local,
        // The program installs its own.
        (_, LocalKind::None) => return local,
        (TracingKind::Subscriber(subscriber), local) => {
            (subscriber, !matches!(local, LocalKind::Logger(..)))
        }
        (TracingKind::On, LocalKind::Stdout) => (printing(io::stdout), true),
        (TracingKind::On, LocalKind::Stderr) => (printing(io::stderr), true),
        (TracingKind::On, _) => (Dispatch::new(Registry::default().with(layer())), false),
    };
    // A later start finds the subscriber of an earlier one.
    if set_global_default(subscriber).is_err() && !get_default(|own| own.is::<Wanted>()) {
        diag::say(
            "`tracing` has a subscriber already, which keeps its place; hand that to \
             #[lens::main] as `tracing = my_subscriber()`, or add `.with(lens::layer())` to it",
        );
    }
    match prints {
        true => LocalKind::Logger(log::LevelFilter::Trace, Box::new(Forward)),
        false => local,
    }
}

/// The most verbose level of which this program has calls of `tracing` built in.
pub(crate) fn built_with() -> log::LevelFilter {
    // They have the same names.
    let level = tracing::level_filters::STATIC_MAX_LEVEL.to_string();
    level.parse().unwrap_or(log::LevelFilter::Trace)
}

/// Makes lens's layer the subscriber of the process, unless that has another.
#[cfg(feature = "__testkit")]
pub(crate) fn install_layer() {
    let _ = set_global_default(Dispatch::new(Registry::default().with(layer())));
}

/// What `tracing_subscriber::fmt::init()` would install, with lens's layer.
fn printing<W>(writer: W) -> Dispatch
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let console = fmt::layer().with_writer(writer);
    let console = console.with_filter(OfTheProgram(by_variable()));
    Dispatch::new(Registry::default().with(console).with(layer()))
}

/// The filter that `tracing_subscriber::fmt::init()` has: it depends on whether anybody in this
/// program turned the feature `env-filter` of that crate on.
fn by_variable<S>() -> impl Filter<S> + Send + Sync {
    // The name that is there is the one that counts: the crate's, or else the one outside.
    #[allow(unused_imports, reason = "the crate's may be in front of it")]
    use targets::EnvFilter;
    {
        #[allow(unused_imports, reason = "the crate may not have it")]
        use tracing_subscriber::*;
        EnvFilter::from_default_env()
    }
}

mod targets {
    use std::io::{Write, stderr};

    use tracing_subscriber::filter::Targets;
    use tracing_subscriber::fmt;

    use crate::env::Env;

    /// See above.
    pub(super) struct EnvFilter;

    impl EnvFilter {
        #[allow(dead_code, reason = "the crate's own may be in front of it")]
        pub(super) fn from_default_env() -> Targets {
            let env = Env::process();
            let Some(asked) = env.raw("RUST_LOG") else {
                return Targets::new().with_default(fmt::Subscriber::DEFAULT_MAX_LEVEL);
            };
            asked.parse().unwrap_or_else(|error| {
                let _ = writeln!(stderr(), "Ignoring `RUST_LOG={asked:?}`: {error}");
                Targets::default()
            })
        }
    }
}

/// A filter for what the program says, and not for what exporting says of itself.
struct OfTheProgram<F>(F);

impl<S, F: Filter<S>> Filter<S> for OfTheProgram<F> {
    fn enabled(&self, metadata: &Metadata<'_>, context: &Context<'_, S>) -> bool {
        self.0.enabled(metadata, context)
    }

    fn callsite_enabled(&self, metadata: &'static Metadata<'static>) -> Interest {
        self.0.callsite_enabled(metadata)
    }

    fn event_enabled(&self, event: &Event<'_>, context: &Context<'_, S>) -> bool {
        !os::is_own_thread() && self.0.event_enabled(event, context)
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        self.0.max_level_hint()
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        self.0.on_new_span(attributes, id, context);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        self.0.on_record(id, values, context);
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        self.0.on_enter(id, context);
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        self.0.on_exit(id, context);
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        self.0.on_close(id, context);
    }
}
