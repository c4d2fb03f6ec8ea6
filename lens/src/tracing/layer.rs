//! The layer of a subscriber of `tracing` that is lens.

use std::sync::OnceLock;

use opentelemetry::Context as Active;
use opentelemetry::trace::{Status, TraceContextExt};
use tracing_core::dispatcher::WeakDispatch;
use tracing_core::span::{Attributes, Id, Record};
use tracing_core::{Dispatch, Event, Level, Subscriber};
use tracing_opentelemetry::get_otel_context;
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;
use tracing_subscriber::registry::{LookupSpan, SpanRef};

use super::kept::{self, Kept};
use super::spans::ScopedTracer;
use super::wanted::Wanted;
use crate::bridge::{Each, Given, take_event};
use crate::context::has_context;
use crate::os;
use crate::span_fields::SpanFields;
use crate::text::text;

/// Returns the layer that makes spans of `tracing` OpenTelemetry spans and its events log
/// records, on lens's path: by the settings of `#[lens::main]`, in whichever subscriber of
/// `tracing` the program has.
///
/// Spans of INFO and above are made whatever the console shows, and others where `level`, `logger`
/// or `filter` take records of their target. Where a filter is for the console, put it on the
/// console's layer: what a filter of the whole subscriber keeps away, lens does not see.
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
    let lens = Lens(OnceLock::new()).with_filter(Wanted::SpansAndEvents);
    // Of an event it would make an event of the span.
    spans.with_filter(Wanted::Spans).and_then(lens)
}

/// What is done beside making spans, in the subscriber that is here once there is one.
struct Lens(OnceLock<WeakDispatch>);

impl<S> Layer<S> for Lens
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn on_register_dispatch(&self, subscriber: &Dispatch) {
        let _ = self.0.set(subscriber.downgrade());
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, context: Context<'_, S>) {
        let around = || match attributes.parent() {
            Some(parent) => fields_of(&context.span(parent)?),
            None if attributes.is_root() => None,
            None => Active::map_current(|active| SpanFields::of(active).cloned()),
        };
        let kept = Kept::new(|visit| attributes.record(visit), around);
        if let Some(span) = context.span(id) {
            span.extensions_mut().insert(kept);
        }
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, context: Context<'_, S>) {
        let record = |kept: &mut Kept| kept.record(|visit| values.record(visit));
        let due = context.span(id).and_then(|span| with(&span, record));
        let Some(due) = due.filter(|due| !due.numbers.is_empty()) else {
            return;
        };
        if let Some(active) = self.context_of(id) {
            active.span().set_attributes(due.numbers);
        }
    }

    fn on_enter(&self, id: &Id, context: Context<'_, S>) {
        if let Some(due) = context.span(id).and_then(|span| with(&span, Kept::enter)) {
            due.enter(id);
        }
    }

    fn on_exit(&self, id: &Id, _: Context<'_, S>) {
        kept::exit(id);
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        // What the export stack says of itself leaves no trace anywhere.
        if os::is_own_thread() {
            return;
        }
        if !has_context() {
            // It is counted as what comes too late.
            return take_event(event);
        }
        let named = match event.parent() {
            Some(parent) => context.span(parent).and_then(|parent| {
                let active = self.context_of(&parent.id())?;
                Some(match fields_of(&parent) {
                    Some(fields) => active.with_value(fields),
                    None => active,
                })
            }),
            None => event.is_root().then(Active::new),
        };
        let _named = named.map(Active::attach);
        take_event(event);
        if *event.metadata().level() == Level::ERROR
            && let Some(span) = context.event_span(event)
            && let Some(active) = self.context_of(&span.id())
        {
            fail(&active, event);
        }
    }
}

impl Lens {
    /// The context of a span, which starts that.
    fn context_of(&self, span: &Id) -> Option<Active> {
        get_otel_context(span, &self.0.get()?.upgrade()?)
    }
}

/// Does something with what is kept of a span.
fn with<'a, S: LookupSpan<'a>, R>(
    span: &SpanRef<'a, S>,
    f: impl FnOnce(&mut Kept) -> R,
) -> Option<R> {
    span.extensions_mut().get_mut().map(f)
}

/// What records ask of a span and those around it.
fn fields_of<'a, S: LookupSpan<'a>>(span: &SpanRef<'a, S>) -> Option<SpanFields> {
    span.extensions().get::<Kept>()?.fields()
}

/// Makes an error the status of the span it is in, unless a span of another kind is within that.
fn fail(span: &Active, event: &Event<'_>) {
    let span = span.span();
    let is_innermost = Active::map_current(|active| {
        active.span().span_context().span_id() == span.span_context().span_id()
    });
    if !is_innermost || !span.is_recording() {
        return;
    }
    // What the error says, or else the message.
    let (mut error, mut message) = (None, None);
    event.record(&mut Each(|name, value: Given<'_>| match (name, &value) {
        (_, Given::Error(_)) | ("error" | "err", _) => error = Some(text(format_args!("{value}"))),
        ("message", _) => message = Some(text(format_args!("{value}"))),
        _ => {}
    }));
    span.set_status(Status::error(error.or(message).unwrap_or_default()));
}
