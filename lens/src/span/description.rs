//! What code says of its span.

use std::borrow::Cow;
use std::fmt::{Debug, Display};

use opentelemetry::trace::{Link, TraceContextExt};
use opentelemetry::{Context, Key, KeyValue};

use super::field::Field;
use crate::text::text;

/// A context, by value or by reference.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no context of a span",
    note = "an OpenTelemetry `Context` is; `lens::extract(&headers)` reads one"
)]
pub trait AsContext {
    /// Returns it.
    fn as_context(&self) -> &Context;
}

impl AsContext for Context {
    fn as_context(&self) -> &Context {
        self
    }
}

impl<T: AsContext> AsContext for &T {
    fn as_context(&self) -> &Context {
        (**self).as_context()
    }
}

/// What code says of its span.
#[derive(Debug, Default)]
#[must_use]
pub struct Description {
    pub(super) name: Option<Cow<'static, str>>,
    pub(super) attributes: Vec<KeyValue>,
    /// Where it belongs; to the current span where this says nothing.
    pub(super) parent: Option<Context>,
    pub(super) links: Vec<Link>,
}

impl Description {
    /// Sets the name; it is the path of the function otherwise.
    pub fn name(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Adds an attribute, with its type.
    pub fn field(mut self, key: &'static str, value: &(impl Field + ?Sized)) -> Self {
        if let Some(value) = value.to_value() {
            self.attributes
                .push(KeyValue::new(Key::from_static_str(key), value));
        }
        self
    }

    /// Adds an attribute as it is displayed.
    pub fn display(self, key: &'static str, value: &(impl Display + ?Sized)) -> Self {
        let value = text(format_args!("{value}"));
        self.field(key, &value)
    }

    /// Adds an attribute as programmers see it.
    pub fn debug(self, key: &'static str, value: &(impl Debug + ?Sized)) -> Self {
        let value = text(format_args!("{value:?}"));
        self.field(key, &value)
    }

    /// Puts it below the span of `context`, or at the top where that has none.
    pub fn parent(mut self, context: &impl AsContext) -> Self {
        self.parent = Some(context.as_context().clone());
        self
    }

    /// Links it to the spans of `contexts`; those that have none are left out.
    pub fn links(mut self, contexts: impl IntoIterator<Item: AsContext>) -> Self {
        for context in contexts {
            let context = context.as_context().span().span_context().clone();
            if context.is_valid() {
                self.links.push(Link::with_context(context));
            }
        }
        self
    }
}
