//! The arguments of an attribute as calls of a builder.

use proc_macro2::TokenStream;
use quote::quote;

use crate::parse::{Args, Value};

/// A call for each argument; `name(key = value, …)` has one for each key.
///
/// The setter is named like the argument.
pub(super) fn setters(args: &Args) -> TokenStream {
    (args.iter())
        .map(|(key, value)| match value {
            Value::Expr(expr) => quote!(.#key(#expr)),
            Value::Word(word) => quote!(.#key(#word)),
            Value::Names(names) => quote!(.#key(#names)),
            Value::Millis(millis) => quote!(.#key(::core::time::Duration::from_millis(#millis))),
            Value::Fields(fields) => {
                let calls = fields.iter().map(|field| {
                    let (name, value) = (&field.key, &field.value);
                    quote!(.#key(#name, #value))
                });
                calls.collect()
            }
            Value::Path(_) | Value::Idents(_) | Value::Switch(_) | Value::Part(_) => {
                TokenStream::new()
            }
        })
        .collect()
}
