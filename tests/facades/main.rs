//! `tracing` and `log` in one program: the same ids, filters and records, whichever is used where.

mod fields;
mod filters;
mod records;
mod spans;
