//! Prints an annotated main.

use proc_macro2::TokenStream;
use quote::quote;

use super::paths;
use super::returned::Returned;
use super::setters::setters;
use crate::model::{Body, Main};
use crate::parse::FnItem;

/// Prints main as a call:
///
/// ```text
/// fn main() -> R {
///     ::lens::__private::main(
///         ::lens::__private::builder(…).logs(true).level("info"),
///         || -> R { … },
///         |__lens_result: &R| ::lens::__outcome!(__lens_result),
///     )
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
        Body::None => {
            let mut sig = sig.clone();
            sig.asyncness = None;
            quote!(#(#attrs)* #vis #sig { loop {} })
        }
        Body::Sync => {
            let builder = builder(&main, &lens);
            let returned = Returned::of(sig);
            if let Returned::Never = returned {
                // Nothing comes back to look at, and `!` cannot be named in a closure.
                let statements = body.stream();
                return quote! {
                    #(#attrs)* #vis #sig {
                        let __lens_guard = #builder.start();
                        #statements
                    }
                };
            }
            let (arrow, outcome) = (returned.arrow(), returned.outcome(&lens));
            quote! {
                #(#attrs)* #vis #sig {
                    #lens::__private::main(#builder, || #arrow #body, #outcome)
                }
            }
        }
    }
}

fn builder(main: &Main, lens: &TokenStream) -> TokenStream {
    let setters = setters(&main.args);
    quote! {
        #lens::__private::builder(
            ::core::option_env!("CARGO_BIN_NAME"),
            ::core::option_env!("CARGO_PKG_NAME"),
            ::core::option_env!("CARGO_PKG_VERSION"),
            ::core::module_path!(),
        )
        #setters
    }
}
