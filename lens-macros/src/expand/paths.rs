//! The paths generated code goes by: absolute, whatever the user's module holds.

use proc_macro2::TokenStream;
use quote::quote;

use crate::parse::{Args, Value};

/// The path of the lens crate.
pub(super) fn lens(args: &Args) -> TokenStream {
    match args.get("crate") {
        Some(Value::Path(path)) => quote!(#path),
        _ => quote!(::lens),
    }
}
