//! The subscriber of the process, and what the console of `log` is beside it.

use std::io;

use log::LevelFilter;
use tracing_core::dispatcher::{get_default, set_global_default};
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Dispatch, Event, Subscriber};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::{Context, Filter, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::{Layer, Registry, fmt};

use super::forward::Forward;
use super::layer::layer;
use super::wanted::Wanted;
use crate::config::{IntoTracing, LocalKind, Tracing, TracingKind, marker};
use crate::levels::filter_to_log;
use crate::{diag, os};

impl<S> IntoTracing<marker::Subscriber> for S
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync + 'static,
{
    fn into_tracing(self) -> Tracing {
        // What its console wants: lens wants nothing before it starts.
        let level = most_shown(&self);
        let has_layer = (&self as &dyn Subscriber).is::<Wanted>();
        let subscriber = match has_layer {
            true => Dispatch::new(self),
            false => Dispatch::new(self.with(layer())),
        };
        Tracing(TracingKind::Subscriber(subscriber, level))
    }
}

/// Makes what was asked for the subscriber of the process; returns the console of `log` beside
/// it.
pub(crate) fn install(asked: Option<Tracing>, local: LocalKind) -> LocalKind {
    let kind = asked.map_or(TracingKind::Off, |asked| asked.0);
    let (subscriber, level) = match (kind, &local) {
        // With `none` the program installs its own.
        (TracingKind::Off, _) | (_, LocalKind::None) => return local,
        (TracingKind::Subscriber(subscriber, level), _) => (subscriber, level),
        (TracingKind::On, LocalKind::Stdout) => printing(io::stdout),
        (TracingKind::On, LocalKind::Stderr) => printing(io::stderr),
        (TracingKind::On, _) => {
            let subscriber = Registry::default().with(layer());
            (Dispatch::new(subscriber), LevelFilter::Off)
        }
    };
    // A later start finds the subscriber of an earlier one.
    if set_global_default(subscriber).is_err() && !get_default(|own| own.is::<Wanted>()) {
        diag::say(
            "`tracing` has a subscriber already, which keeps its place; hand that to \
             #[lens::main] as `tracing = my_subscriber()`, or add `.with(lens::layer())` to it",
        );
    }
    match local {
        LocalKind::Stdout | LocalKind::Stderr => LocalKind::Logger(level, Box::new(Forward)),
        local => local,
    }
}

/// The most verbose level that is shown; any, where there is no hint.
fn most_shown(subscriber: &impl Subscriber) -> LevelFilter {
    let hint = subscriber.max_level_hint();
    hint.map_or(LevelFilter::Trace, filter_to_log)
}

/// The most verbose level of which this program has calls of `tracing` built in.
pub(crate) fn built_with() -> LevelFilter {
    filter_to_log(tracing::level_filters::STATIC_MAX_LEVEL)
}

/// Makes lens's layer the subscriber of the process, unless that has another.
#[cfg(feature = "__testkit")]
pub(crate) fn install_layer() {
    let _ = set_global_default(Dispatch::new(Registry::default().with(layer())));
}

/// What `tracing_subscriber::fmt::init()` would install, with lens's layer.
fn printing<W>(writer: W) -> (Dispatch, LevelFilter)
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let console = OfTheProgram(fmt::layer().with_writer(writer));
    let subscriber = Registry::default().with(console.with_filter(by_variable()));
    let level = most_shown(&subscriber);
    (Dispatch::new(subscriber.with(layer())), level)
}

/// The filter that `tracing_subscriber::fmt::init()` has: it depends on whether anybody in this
/// program turned the feature `env-filter` of that crate on.
fn by_variable<S>() -> impl Filter<S> + Send + Sync {
    // What a block's own glob has comes before the names of the block around it: the crate's, or
    // else the one here. (Not in a macro, where that is an ambiguity.)
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

/// A console for what the program says, and not for what exporting says of itself.
struct OfTheProgram<L>(L);

impl<S: Subscriber, L: Layer<S>> Layer<S> for OfTheProgram<L> {
    fn on_register_dispatch(&self, subscriber: &Dispatch) {
        self.0.on_register_dispatch(subscriber);
    }

    fn on_layer(&mut self, subscriber: &mut S) {
        self.0.on_layer(subscriber);
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        self.0.on_new_span(attributes, id, context);
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        self.0.on_record(id, values, context);
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        if !os::is_own_thread() {
            self.0.on_event(event, context);
        }
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
