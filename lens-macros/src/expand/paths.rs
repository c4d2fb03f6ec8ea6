//! The paths generated code goes by: absolute, whatever the user's module holds.

use proc_macro2::TokenStream;
use quote::quote;

use crate::parse::{Args, Value};

/// The path of the lens crate.
pub(super) fn lens(args: &Args) -> TokenStream {
    given(args).unwrap_or_else(|| quote!(::lens))
}

/// The path of the testkit.
pub(super) fn testkit(args: &Args) -> TokenStream {
    given(args).unwrap_or_else(|| quote!(::lens_testkit))
}

/// What the argument `crate` says.
fn given(args: &Args) -> Option<TokenStream> {
    match args.get("crate")? {
        Value::Path(path) => Some(quote!(#path)),
        _ => None,
    }
}
