//! What was captured or received, in plain types: the same for both.

mod point;
mod record;
mod snapshot;
mod span;
mod value;

pub use point::Point;
pub use record::LogRecord;
pub use span::{Event, Link, Span, Status};
pub use value::Value;

pub(crate) use record::{LogData, find, least_severity, rendered};
pub(crate) use snapshot::{Orphan, Snapshot};
pub(crate) use span::SpanData;
