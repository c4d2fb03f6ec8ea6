//! Prints a traced function.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::arguments::rebound;
use super::paths;
use super::returned::Returned;
use crate::model::Trace;
use crate::parse::{Args, Field, FnItem, Value};

/// Prints the body as an argument of a call:
///
/// ```text
/// fn step(i: u64) -> R {
///     ::lens::__private::trace(site, "train.step", [field], move || -> R { … }, outcome)
/// }
/// async fn load() -> R {
///     ::lens::__private::trace_async(site, "load", [], async move { … }, outcome).await
/// }
/// ```
pub(crate) fn trace(trace: Trace) -> TokenStream {
    let lens = paths::lens(&trace.args);
    let FnItem {
        attrs,
        vis,
        sig,
        body,
    } = &trace.func;
    let mut sig = sig.clone();
    let rebound = rebound(&mut sig);
    let statements = body.stream();
    let name = name(&trace);
    let fields = fields(&trace.args, &lens);
    let span = quote! {
        #lens::__private::Site {
            package: ::core::option_env!("CARGO_PKG_NAME"),
            version: ::core::option_env!("CARGO_PKG_VERSION"),
        },
        #name,
        [#(#fields),*]
    };
    let returned = Returned::of(&sig);
    let outcome = returned.outcome(&lens);
    let call = if sig.asyncness.is_some() {
        let typed = returned.typed();
        quote! {
            #lens::__private::trace_async(
                #span,
                async move { #typed #rebound #statements },
                #outcome,
            ).await
        }
    } else if let Returned::Never = returned {
        quote! {
            let __lens_span = #lens::SpanGuard::start(#span);
            #rebound
            #statements
        }
    } else {
        let arrow = returned.arrow();
        quote!(#lens::__private::trace(#span, move || #arrow { #rebound #statements }, #outcome))
    };
    quote!(#(#attrs)* #vis #sig { #call })
}

fn name(trace: &Trace) -> TokenStream {
    match trace.args.get("name") {
        Some(Value::Expr(name)) => quote!(#name),
        _ => {
            let function = trace.func.sig.ident.to_string();
            quote!(::core::concat!(::core::module_path!(), "::", #function))
        }
    }
}

fn fields<'a>(args: &'a Args, lens: &'a TokenStream) -> impl Iterator<Item = TokenStream> + 'a {
    let fields: &[Field] = match args.get("fields") {
        Some(Value::Fields(fields)) => fields,
        _ => &[],
    };
    fields.iter().map(move |Field { key, value }| {
        // At the value, where an error about its type belongs.
        quote_spanned!(value.span()=> #lens::__private::attribute(#key, &#value))
    })
}
