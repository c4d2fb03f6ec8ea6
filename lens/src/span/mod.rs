//! Spans: started where the code says so, active while it runs, ended however it ends.

mod call;
mod current;
mod field;
mod guard;
mod open;
mod outcome;

pub use call::{trace, trace_async};
pub use current::current_trace_id;
pub use field::{Field, attribute};
pub use guard::{Instrumented, SpanGuard};
pub use open::Site;
pub use outcome::{
    Outcome, Probe, ViaDebug, ViaDisplay, ViaDynError, ViaError, ViaSendError, ViaValue,
};
