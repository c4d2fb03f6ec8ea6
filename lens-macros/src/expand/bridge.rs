//! Prints a scope.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};

use super::paths;
use super::site::variant;
use crate::model::Bridge;
use crate::parse::{Args, Value};

/// Prints the module with its scope at the top:
///
/// ```text
/// mod optimizer {
///     ::lens::__scope!(level(::lens::__private::ScopeLevel::Debug));
///     …
/// }
/// ```
pub(crate) fn bridge(bridge: Bridge) -> TokenStream {
    let module = &bridge.module;
    let (head, inner_attrs) = (&module.head, &module.inner_attrs);
    let items = module.items.iter().map(|item| {
        let (attrs, tokens) = (&item.attrs, &item.tokens);
        quote!(#(#attrs)* #tokens)
    });
    let scope = scope(&bridge.args, &paths::lens(&bridge.args));
    quote_spanned!(module.braces=> #head { #(#inner_attrs)* #scope #(#items)* })
}

/// Prints the scope of the module it stands in.
pub(crate) fn bridge_module((lens, args): (TokenStream, Args)) -> TokenStream {
    scope(&args, &lens)
}

fn scope(args: &Args, lens: &TokenStream) -> TokenStream {
    let setters = args.iter().map(|(key, value)| match value {
        Value::Word(word) => {
            let level = match word.value().as_str() {
                "warning" => variant("warn", word.span()),
                level => variant(level, word.span()),
            };
            quote!(#key(#lens::__private::ScopeLevel::#level))
        }
        Value::Switch(_) => quote!(level(#lens::__private::ScopeLevel::Off)),
        Value::Expr(number) => quote!(#key(#number)),
        Value::Part(part) => quote!(#key(#part)),
        _ => TokenStream::new(),
    });
    quote!(#lens::__scope!(#(#setters)*);)
}
