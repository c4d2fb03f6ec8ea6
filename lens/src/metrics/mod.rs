//! What is measured: instruments at the places in the code that use them.

mod amount;
mod attributes;
mod cached;
mod kinds;
mod metric;
#[cfg(feature = "tower")]
mod server;
mod watch;

pub use amount::{Amount, Number};
pub use attributes::{attribute, attribute_debug, attribute_display, attribute_text};
pub use kinds::{Counter, Gauge, Histogram, Kind, UpDownCounter};
pub use metric::{About, Metric};
pub use watch::Observation;

#[cfg(feature = "tower")]
pub(crate) use server::server_duration;
