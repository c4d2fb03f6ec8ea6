//! Every name that generated code and lens-testkit may use, and nothing else. Not a public
//! interface.

#[cfg(feature = "sdk")]
pub use crate::config::marker;
/// The renderer of trees, which lens-testkit shares.
#[cfg(feature = "sdk")]
pub use crate::export::{
    LogLine, Node, SpanLine, SpanStatus, Style, kind_name, print_nodes, text_value,
};
pub use crate::failure::Failure;
pub use crate::span::{
    Outcome, Probe, Site, ViaDebug, ViaDisplay, ViaDynError, ViaError, ViaSendError, ViaValue,
    attribute, trace, trace_async,
};

#[cfg(feature = "sdk")]
pub use crate::entry::{builder, main};

/// What a result says of its success; see `span/outcome.rs`.
#[doc(hidden)]
#[macro_export]
macro_rules! __outcome {
    ($result:expr) => {{
        #[allow(unused_imports)]
        use $crate::__private::{
            ViaDebug as _, ViaDisplay as _, ViaDynError as _, ViaError as _, ViaSendError as _,
            ViaValue as _,
        };
        (&&&&&$crate::__private::Probe($result)).outcome()
    }};
}
