//! Prints a test.

use proc_macro2::TokenStream;
use quote::quote;

use super::braces::braces;
use super::paths;
use super::returned::{arrow, typed, written};
use super::setters::setters;
use crate::model::Test;
use crate::parse::FnItem;

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
    let testkit = paths::testkit(&test.args);
    let FnItem {
        attrs,
        vis,
        sig,
        body,
    } = &test.func;
    let name = sig.ident.to_string();
    let setters = setters(&test.args);
    let settings = quote! {
        #testkit::__private::Test::new(::core::concat!(::core::module_path!(), "::", #name))
        #setters
    };
    let capture = match &test.capture {
        Some(capture) => quote!(#capture),
        None => quote!(_: #testkit::Capture),
    };
    let call = if sig.asyncness.is_some() {
        let typed = typed(written(sig), &quote!(#testkit));
        quote!(#testkit::__private::run_async(#settings, |#capture| async move { #typed #body }))
    } else {
        let arrow = arrow(sig);
        quote!(#testkit::__private::run(#settings, |#capture| #arrow #body))
    };
    let mut sig = sig.clone();
    sig.asyncness = None;
    sig.inputs.clear();
    let braces = braces(body, call);
    quote! {
        #[::core::prelude::v1::test]
        #(#attrs)*
        #vis #sig #braces
    }
}
