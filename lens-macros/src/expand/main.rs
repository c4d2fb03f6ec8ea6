//! Prints an annotated main.

use proc_macro2::TokenStream;
use quote::quote;
use syn::Type;

use super::braces::{block, braces};
use super::paths;
use super::returned::{arrow, outcome, typed, written};
use super::root::within_root;
use super::setters::setters;
use super::site::line;
use crate::model::{Body, Main};
use crate::parse::FnItem;

/// Prints main as a call:
///
/// ```text
/// fn main() -> R {
///     ::lens::__private::main(
///         ::lens::__builder!(::core::line!()).logs(true).level("info"),
///         || -> R { … },
///     )
///     .told(::lens::__outcome!())
/// }
/// ```
pub(crate) fn main(main: Main) -> TokenStream {
    let lens = paths::lens(&main.args);
    let FnItem {
        attrs,
        vis,
        sig,
        body,
    } = &main.func;
    match main.body {
        Body::Runtime => {
            // Expanded last, it sees what the runtime made of main: a plain function.
            let arguments = &main.tokens;
            quote!(#(#attrs)* #[#lens::main(#arguments)] #vis #sig #body)
        }
        Body::None(asyncness) => {
            // Nothing can run it, but an editor still reads it.
            let (inputs, arrow) = (&main.inputs, arrow(sig));
            let read = match asyncness {
                Some(_) => {
                    let typed = typed(written(sig), &lens);
                    quote!(async { #typed #body })
                }
                None => quote!(#body),
            };
            let arrow = asyncness.is_none().then_some(arrow);
            quote! {
                #(#attrs)* #vis #sig {
                    #[allow(unused)]
                    let _ = |#inputs| #arrow { #read };
                    loop {}
                }
            }
        }
        Body::Sync => {
            let mut builder = builder(&main, &lens);
            let in_root = within_root(body, main.args.get("root_span").is_some(), &lens);
            if in_root.is_some() {
                builder.extend(quote!(.__root_in_future()));
            }
            let body = in_root.as_ref().unwrap_or(body);
            let returned = written(sig);
            if let Some(Type::Never(_)) = returned {
                // Nothing comes back to look at, and `!` cannot be named in a closure.
                let guard = quote!(let __lens_guard = #builder.start(););
                let block = block(body, guard);
                return quote!(#(#attrs)* #vis #sig #block);
            }
            let (arrow, outcome) = (arrow(sig), outcome(returned, true, &lens));
            let call = quote!(#lens::__private::main(#builder, || #arrow #body).told(#outcome));
            let braces = braces(body, call);
            quote!(#(#attrs)* #vis #sig #braces)
        }
    }
}

fn builder(main: &Main, lens: &TokenStream) -> TokenStream {
    let setters = setters(&main.args);
    let line = line(main.func.sig.ident.span());
    quote!(#lens::__builder!(#line) #setters)
}
