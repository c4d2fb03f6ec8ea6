//! The layer of a subscriber of `tracing` that is lens.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

use opentelemetry::Context as Active;
use opentelemetry::trace::{Status, TraceContextExt};
use tracing_core::dispatcher::WeakDispatch;
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Dispatch, Event, Field, Level, Subscriber};
use tracing_opentelemetry::{OpenTelemetryLayer, get_otel_context};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::{LookupSpan, SpanRef};

use super::given::Fields;
use super::kept::{self, Kept};
use super::spans::{ScopedTracer, is_starting};
use super::wanted::{Nothing, Wanted, is_own};
use crate::bridge::{Each, Given, take_event};
use crate::context::has_context;
use crate::reentry::quietly;
use crate::span_fields::SpanFields;
use crate::state::{self, add_subscriber};
use crate::text::text;
use crate::{diag, os};

/// Returns the layer that makes spans of `tracing` OpenTelemetry spans and its events log
/// records, on lens's path: by the settings of `#[lens::main]`, in whichever subscriber of
/// `tracing` the program has.
///
/// Spans of INFO and above are made whatever the console shows, and others where `level`, `logger`
/// or `filter` take records of their target. Where a filter is for the console, put it on the
/// console's layer: what a filter of the whole subscriber keeps away, lens does not see.
///
/// It may be in an `Option` or a box, but not in a `reload::Layer`, which hides what is in it. A layer
/// of `tracing_opentelemetry` beside it makes the spans in its place, if it comes before; behind it, it
/// panics at the first span, as two of them do.
///
/// ```
/// use tracing_subscriber::prelude::*;
/// use tracing_subscriber::filter::LevelFilter;
///
/// let console = tracing_subscriber::fmt::layer().with_filter(LevelFilter::WARN);
/// let subscriber = tracing_subscriber::registry().with(console).with(lens::layer());
/// # let _ = subscriber;
/// ```
///
/// # Cost
///
/// Where lens is off, or does not want a span or an event: what it costs without lens.
pub fn layer<S>() -> impl Layer<S> + Send + Sync + 'static
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    let spans = tracing_opentelemetry::layer()
        .with_tracer(ScopedTracer)
        .with_threads(false)
        .with_tracked_inactivity(false);
    // It is there to be found, by lens and by whoever asks for the context of a span.
    let spans: OpenTelemetryLayer<S, ScopedTracer> = spans;
    let spans = spans.with_filter(Nothing);
    let lens = Lens {
        subscriber: OnceLock::new(),
        is_second: OnceLock::new(),
    };
    spans.and_then(lens.with_filter(Wanted))
}

/// The layer, in the subscriber that is here once there is one.
///
/// What runs the program's code is done before anything is locked. What `tracing_opentelemetry` does
/// may panic, on a thread that is ending, and must not reach the program.
struct Lens {
    subscriber: OnceLock<WeakDispatch>,
    /// Somebody else's layer makes spans.
    is_second: OnceLock<bool>,
}

impl<S> Layer<S> for Lens
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    fn on_register_dispatch(&self, subscriber: &Dispatch) {
        // Of several in one subscriber the one that is found is the one that acts.
        let is_found = |found: &Self| std::ptr::eq(found, self);
        if subscriber.downcast_ref().is_none_or(is_found)
            && self.subscriber.set(subscriber.downgrade()).is_ok()
        {
            add_subscriber(subscriber.downgrade());
        }
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        if self.subscriber.get().is_none() {
            return;
        }
        if *self.is_second.get_or_init(|| self.finds_another(id)) {
            return;
        }
        let fields = Fields::of(|visit| attributes.record(visit));
        let kept = Kept::new(&fields, || match attributes.parent() {
            Some(parent) => fields_of(&context.span(parent)?),
            None if attributes.is_root() => None,
            None => Active::map_current(|active| SpanFields::of(active).cloned()),
        });
        span.extensions_mut().replace(kept);
        fields.with(attributes.metadata(), |values| {
            let metadata = attributes.metadata();
            let attributes = match attributes.parent() {
                Some(parent) => Attributes::child_of(parent.clone(), metadata, values),
                None if attributes.is_root() => Attributes::new_root(metadata, values),
                None => Attributes::new(metadata, values),
            };
            self.spans::<S>(|spans| spans.on_new_span(&attributes, id, context.clone()));
        });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let fields = Fields::of(|visit| values.record(visit));
        if let Some(kept) = span.extensions().get::<Kept>() {
            kept.record(&fields);
        }
        fields.with(span.metadata(), |values| {
            let values = Record::new(values);
            self.spans::<S>(|spans| spans.on_record(id, &values, context.clone()));
        });
    }

    fn on_follows_from(&self, id: &Id, follows: &Id, context: Context<'_, S>) {
        self.spans::<S>(|spans| spans.on_follows_from(id, follows, context));
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if !has_context() {
            return;
        }
        let entered = context.span(id).and_then(|span| {
            let mut extensions = span.extensions_mut();
            let kept = extensions.get_mut::<Kept>()?;
            Some((kept.enter(), kept.fields.clone()))
        });
        if let Some((is_first, fields)) = entered
            && self
                .spans::<S>(|spans| spans.on_enter(id, context))
                .is_some()
        {
            kept::enter(id, is_first, fields);
        }
    }

    fn on_exit(&self, id: &Id, context: Context<'_, S>) {
        kept::exit(id);
        self.spans::<S>(|spans| spans.on_exit(id, context));
    }

    fn on_close(&self, id: Id, context: Context<'_, S>) {
        self.spans::<S>(|spans| spans.on_close(id, context));
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        // Another layer may have made the filter forget what it decided, by an event of its own.
        if self.subscriber.get().is_none() || os::is_own_thread() || is_own(event.metadata()) {
            return;
        }
        if !has_context() || is_starting() {
            take_event(event);
            return;
        }
        let parent = event.parent().and_then(|parent| context.span(parent));
        let named = match &parent {
            Some(parent) => self.context_of(parent),
            None => event.is_root().then(Active::new),
        };
        let _named = named.map(Active::attach);
        let wrong = take_event(event);
        if *event.metadata().level() == Level::ERROR
            && let Some(span) = context.event_span(event)
            && let Some(active) = self.context_of(&span)
        {
            fail(&active, wrong.or_else(|| message_of(event)));
        }
    }
}

impl Lens {
    /// Has the layer that makes spans do something; nothing where that panics.
    fn spans<S>(&self, f: impl FnOnce(&OpenTelemetryLayer<S, ScopedTracer>)) -> Option<()>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        if self.is_second.get() == Some(&true) {
            return None;
        }
        let subscriber = self.subscriber.get()?.upgrade()?;
        let spans = subscriber.downcast_ref::<OpenTelemetryLayer<S, ScopedTracer>>()?;
        catch_unwind(AssertUnwindSafe(|| f(spans))).ok()
    }

    /// Whether somebody else's layer makes spans: a new span has no context of lens's yet.
    fn finds_another(&self, new: &Id) -> bool {
        let is_second = self.active_in(new).is_some();
        if is_second {
            diag::say(
                "the subscriber of `tracing` has a layer of tracing_opentelemetry beside that of \
                 lens, which makes the spans then; take it out to have lens make them",
            );
        }
        is_second
    }

    /// What is active in a span, which starts that.
    fn active_in(&self, span: &Id) -> Option<Active> {
        get_otel_context(span, &self.subscriber.get()?.upgrade()?)
    }

    /// The same with what records ask of it.
    fn context_of<'a, S: LookupSpan<'a>>(&self, span: &SpanRef<'a, S>) -> Option<Active> {
        let active = self.active_in(&span.id())?;
        Some(match fields_of(span) {
            Some(fields) => active.with_value(fields),
            None => active,
        })
    }
}

/// What records ask of a span and those around it.
fn fields_of<'a, S: LookupSpan<'a>>(span: &SpanRef<'a, S>) -> Option<SpanFields> {
    span.extensions().get::<Kept>()?.fields.clone()
}

/// Makes an error the status of the span it is in, unless a span of another kind is within that.
fn fail(span: &Active, wrong: Option<String>) {
    let span = span.span();
    let is_innermost = Active::map_current(|active| {
        active.span().span_context().span_id() == span.span_context().span_id()
    });
    if is_innermost {
        span.set_status(Status::error(wrong.unwrap_or_default()));
    }
}

/// What an error says that is not bridged.
fn message_of(event: &Event<'_>) -> Option<String> {
    let bridge = state::current().and_then(|active| active.bridge.as_ref());
    let hides = |name| bridge.is_some_and(|bridge| bridge.rules.redact.hides(name));
    let mut said = None;
    let _ = quietly(|| {
        event.record(&mut Each(|field: &Field, value: Given<'_>| {
            // An error says more than the message.
            let tells = match field.name() {
                "message" => said.is_none(),
                name => matches!(name, "error" | "err"),
            };
            if tells && !hides(field.name()) {
                said = Some(text(format_args!("{value}")));
            }
        }));
    });
    said
}
