//! Every name that generated code and lens-testkit may use, and nothing else. Not a public
//! interface.

pub use crate::bridge::Failure;
pub use crate::config::marker;
/// The renderer of trees, which lens-testkit shares.
pub use crate::export::{
    LogLine, Node, SpanLine, SpanStatus, Style, kind_name, print_nodes, text_value,
};
pub use crate::span::{
    Outcome, Probe, Site, ViaDebug, ViaDisplay, ViaDynError, ViaError, ViaSendError, ViaValue,
    attribute, trace, trace_async,
};

use crate::bridge::{about_main, release_held_panic};
use crate::config::{Builder, Package};
use crate::handle::Guard;
use crate::panics;
use crate::reentry::quietly;

/// A builder that knows the annotated crate.
pub fn builder(
    name: Option<&'static str>,
    package: Option<&'static str>,
    version: Option<&'static str>,
    module: &'static str,
) -> Builder {
    Builder::new().package(Package {
        name: name.or(package),
        version,
        module,
    })
}

/// Runs `body` between start and delivery; an `Err` is a log record.
pub fn main<R>(
    builder: Builder,
    body: impl FnOnce() -> R,
    outcome: impl FnOnce(&R) -> Outcome,
) -> R {
    let guard: Guard = builder.start();
    let result = body();
    if let Some((active, bridge)) = panics::recording()
        && let Some(Outcome::Failed(failure)) = quietly(|| outcome(&result))
    {
        release_held_panic(active, bridge);
        let record = about_main(&bridge.logger, active.main.module, &failure, None);
        bridge.emit(record);
    }
    drop(guard);
    result
}

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
