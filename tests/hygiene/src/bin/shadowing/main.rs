//! A program without a prelude, in whose modules nothing is called what it usually is: every
//! name that the macros print must be absolute. And no lint may fire on what they print.
//!
//! <https://github.com/tokio-rs/tracing/issues/1613> (MAC-08)

#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(
    warnings,
    future_incompatible,
    keyword_idents,
    let_underscore,
    nonstandard_style,
    rust_2018_idioms,
    unused,
    missing_docs,
    missing_debug_implementations,
    redundant_lifetimes,
    single_use_lifetimes,
    trivial_casts,
    trivial_numeric_casts,
    unused_import_braces,
    unused_lifetimes,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    clippy::all,
    clippy::pedantic,
    clippy::nursery,
    clippy::cargo_common_metadata,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::unreachable,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::as_conversions,
    clippy::clone_on_ref_ptr,
    clippy::dbg_macro,
    clippy::default_numeric_fallback,
    clippy::else_if_without_else,
    clippy::exit,
    clippy::float_arithmetic,
    clippy::if_then_some_else_none,
    clippy::infinite_loop,
    clippy::let_underscore_must_use,
    clippy::let_underscore_untyped,
    clippy::missing_assert_message,
    clippy::pattern_type_mismatch,
    clippy::print_stdout,
    clippy::same_name_method,
    clippy::semicolon_outside_block,
    clippy::shadow_reuse,
    clippy::shadow_same,
    clippy::shadow_unrelated,
    clippy::string_add,
    clippy::tests_outside_test_module,
    clippy::undocumented_unsafe_blocks,
    clippy::unneeded_field_pattern,
    clippy::unused_result_ok,
    clippy::use_debug,
    clippy::wildcard_enum_match_arm
)]

mod boxing;
mod shadowed;

/// Everything the macros do, in a module that shadows what they might name.
#[::telemetry::main(
    crate = ::telemetry,
    enabled = false,
    service = "hygiene",
    logs = true,
    level = "info",
    groups = "all",
    root_span = "job"
)]
fn main() -> ::std::process::ExitCode {
    shadowed::run()
}
