//! Every name that generated code and lens-testkit may use, and nothing else. Not a public
//! interface.

pub use lens_macros::{bridge_module, metric, record, span};
pub use opentelemetry::trace::SpanKind;

#[cfg(feature = "sdk")]
pub use crate::config::marker;
#[cfg(feature = "sdk")]
pub use crate::entry::{Finished, builder, main, within_root};
/// The renderer of trees, which lens-testkit shares.
#[cfg(feature = "sdk")]
pub use crate::export::{
    LogLine, Node, SpanLine, SpanStatus, Style, kind_name, print_nodes, text_value,
};
pub use crate::failure::Failure;
pub use crate::groups::{Registered, Site, inventory};
pub use crate::metrics::{
    About, Counter, Gauge, Histogram, Kind, Metric, UpDownCounter, attribute, attribute_debug,
    attribute_display, attribute_text,
};
pub use crate::scopes::{Level as ScopeLevel, RegisteredScope, Scope};
pub use crate::span::{
    AsContext, Boxed, Call, Description, Entered, Outcome, Probe, Ran, fine,
    record as record_active, unreachable,
};

/// A result that is looked at: `&R`, in a form about which no lint has an opinion.
pub type Of<'a, R> = &'a R;

/// The ways to ask a result for its outcome; imported whole, so that none is unused.
pub mod via {
    pub use crate::span::{ViaDebug, ViaDisplay, ViaDynError, ViaError, ViaSendError, ViaValue};
}

/// A function that says what a result means; see `span/outcome.rs`.
#[doc(hidden)]
#[macro_export]
macro_rules! __outcome {
    (@of $result:ident) => {
        {
            use $crate::__private::via::*;
            (&&&&&&$crate::__private::Probe($result)).__lens_outcome()
        }
    };
    () => {
        |result| $crate::__outcome!(@of result)
    };
    ($result:ty) => {
        |result: $crate::__private::Of<'_, $result>| $crate::__outcome!(@of result)
    };
}

/// Tells an `async` block what it returns, which nothing else can: so that a type error points
/// at the user's `return` and not at the attribute.
#[doc(hidden)]
#[macro_export]
macro_rules! __returns {
    ($result:ty) => {
        if false {
            return $crate::__private::unreachable::<$result>();
        }
    };
}

/// The builder of an annotated main at this place.
#[doc(hidden)]
#[macro_export]
macro_rules! __builder {
    ($line:expr) => {
        $crate::__private::builder(
            ::core::option_env!("CARGO_BIN_NAME"),
            $crate::__site!($line;),
            ::core::module_path!(),
        )
    };
}

/// Registers what the module around it says of its log records.
#[doc(hidden)]
#[macro_export]
macro_rules! __scope {
    ($($setter:ident($value:expr))*) => {
        const _: () = {
            static __LENS_SCOPE: $crate::__private::Scope =
                $crate::__private::Scope::new(::core::module_path!())$(.$setter($value))*;
            $crate::__private::inventory::submit! { $crate::__private::RegisteredScope(&__LENS_SCOPE) }
        };
    };
}

/// A [`Metric`](crate::__private::Metric) at this place, called `setter(value)` after
/// `setter(value)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __metric {
    ($kind:ident; $name:expr; $($setter:ident($value:expr))*) => {{
        static __LENS_METRIC: $crate::__private::Metric<$crate::__private::$kind> =
            $crate::__private::Metric::new(
                $name,
                (::core::option_env!("CARGO_PKG_NAME"), ::core::option_env!("CARGO_PKG_VERSION")),
            )
            $(.$setter($value))*;
        &__LENS_METRIC
    }};
}

/// A [`Site`](crate::__private::Site) at this place, called `setter(value)` after `setter(value)`.
#[doc(hidden)]
#[macro_export]
macro_rules! __site {
    ($line:expr; group($group:expr) $($setter:ident($value:expr))*) => {{
        $crate::__site!(@static $line; group($group) $($setter($value))*);
        $crate::__private::inventory::submit! { $crate::__private::Registered(&__LENS_SITE) }
        &__LENS_SITE
    }};
    ($line:expr; $($setter:ident($value:expr))*) => {{
        $crate::__site!(@static $line; $($setter($value))*);
        &__LENS_SITE
    }};
    (@static $line:expr; $($setter:ident($value:expr))*) => {
        fn __lens_here() -> &'static ::core::primitive::str {
            ::core::any::type_name_of_val(&__lens_here)
        }
        static __LENS_SITE: $crate::__private::Site = $crate::__private::Site::new(
            (::core::option_env!("CARGO_PKG_NAME"), ::core::option_env!("CARGO_PKG_VERSION")),
            (::core::file!(), $line),
            __lens_here,
        )
        $(.$setter($value))*;
    };
}
