//! Prints a test.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::returned::Returned;
use crate::model::Test;
use crate::parse::{Args, FnItem, Value};

/// Prints a test as a call:
///
/// ```text
/// #[::core::prelude::v1::test]
/// fn name() -> R {
///     ::lens_testkit::__private::run(
///         ::lens_testkit::__private::Test::new("shop::tests::name").level("debug"),
///         |cap: Capture| -> R { … },
///     )
/// }
/// ```
pub(crate) fn test(test: Test) -> TokenStream {
    let testkit = match test.args.get("crate") {
        Some(Value::Path(path)) => quote!(#path),
        _ => quote!(::lens_testkit),
    };
    let FnItem {
        attrs,
        vis,
        sig,
        body,
    } = &test.func;
    let name = sig.ident.to_string();
    let settings = settings(&test.args);
    let settings = quote! {
        #testkit::__private::Test::new(::core::concat!(::core::module_path!(), "::", #name))
        #settings
    };
    let capture = match &test.capture {
        Some(capture) => quote!(#capture),
        None => quote!(_: #testkit::Capture),
    };
    let returned = Returned::of(sig);
    let call = if sig.asyncness.is_some() {
        let (typed, statements) = (returned.typed(), body.stream());
        quote! {
            #testkit::__private::run_async(#settings, |#capture| async move { #typed #statements })
        }
    } else {
        let arrow = returned.arrow();
        quote!(#testkit::__private::run(#settings, |#capture| #arrow #body))
    };
    let mut sig = sig.clone();
    sig.asyncness = None;
    sig.inputs.clear();
    quote! {
        #[::core::prelude::v1::test]
        #(#attrs)*
        #vis #sig { #call }
    }
}

fn settings(args: &Args) -> TokenStream {
    args.iter()
        .filter_map(|(key, value)| setter(key, value))
        .collect()
}

/// The setter is named like the argument; `env` has one call for each variable.
fn setter(key: &Ident, value: &Value) -> Option<TokenStream> {
    Some(match value {
        Value::Expr(expr) => quote!(.#key(#expr)),
        Value::Word(word) => quote!(.#key(#word)),
        Value::Names(names) => quote!(.#key(#names)),
        Value::Fields(fields) => {
            let calls = fields.iter().map(|field| {
                let (name, value) = (&field.key, &field.value);
                quote!(.#key(#name, #value))
            });
            calls.collect()
        }
        Value::Millis(_) | Value::Path(_) => return None,
    })
}
