//! The attributes of lens.
//!
//! `parse` turns tokens into arguments and a function, `model` into something legal,
//! `expand` into tokens again; each names only what comes before it. User documentation is
//! on the re-exports in `lens`.

mod parse;

mod model;

mod expand;

use proc_macro::TokenStream;

/// See `lens::main`.
#[proc_macro_attribute]
pub fn main(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(arguments, item, model::main, expand::main)
}

/// See `lens::main`; this one is for a lens without what it takes to run a program.
#[proc_macro_attribute]
pub fn main_without_sdk(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(arguments, item, model::main_without_sdk, expand::main)
}

/// See `lens::trace`.
#[proc_macro_attribute]
pub fn trace(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(arguments, item, model::trace, expand::trace)
}

/// See `lens::bridge`.
#[proc_macro_attribute]
pub fn bridge(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(arguments, item, model::bridge, expand::bridge)
}

/// See `lens::bridge_module`.
#[proc_macro]
pub fn bridge_module(tokens: TokenStream) -> TokenStream {
    expand::run_items(tokens, model::scope, expand::bridge_module)
}

/// See `lens::span`, which gives this one the path of its crate.
#[proc_macro]
pub fn span(tokens: TokenStream) -> TokenStream {
    expand::run_call(tokens, parse::parse_span, expand::span)
}

/// See `lens::record`.
#[proc_macro]
pub fn record(tokens: TokenStream) -> TokenStream {
    expand::run_call(tokens, parse::parse_record, expand::record)
}

/// See `lens::counter`, which gives this one the path of its crate and the kind of instrument.
#[proc_macro]
pub fn metric(tokens: TokenStream) -> TokenStream {
    expand::run_call(tokens, parse::parse_metric, expand::metric)
}

/// See `lens_testkit::test`.
#[proc_macro_attribute]
pub fn test(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::run(arguments, item, model::test, expand::test)
}
