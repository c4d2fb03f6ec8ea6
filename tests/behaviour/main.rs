//! What the macros do at run time, seen by lens-testkit.

mod blocks;
mod fidelity;
mod fields;
mod functions;
mod groups;
mod guards;
mod metrics;
mod redaction;
mod scopes;
mod servers;
