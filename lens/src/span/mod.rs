//! Spans: started where the code says so, active while it runs, ended however it ends.

mod attached;
mod call;
mod current;
mod description;
mod field;
mod guard;
mod instrumented;
mod open;
mod outcome;

pub use call::{Boxed, Call, Entered, Ran};
pub use current::{current_trace_id, record};
pub use description::{AsContext, Description};
pub use field::Field;
pub use guard::SpanGuard;
pub use instrumented::Instrumented;
pub use outcome::{
    Outcome, Probe, ViaDebug, ViaDisplay, ViaDynError, ViaError, ViaSendError, ViaValue, fine,
    unreachable,
};

pub(crate) use attached::carried;
#[cfg(feature = "sdk")]
pub(crate) use attached::{Ticket, hold, release};
#[cfg(any(feature = "sdk", feature = "tower"))]
pub(crate) use open::OpenSpan;
#[cfg(feature = "tower")]
pub(crate) use open::PANICKED;
