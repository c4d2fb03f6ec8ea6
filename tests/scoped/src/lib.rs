//! A library that says how its own log records are bridged; whoever links it need not know.

pub mod lines;

/// Says what nobody wants to know.
#[lens::bridge(off)]
pub mod chatter {
    /// Logs an error that is none.
    pub fn speak() {
        log::error!("of no interest");
    }
}
