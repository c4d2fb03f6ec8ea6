//! The function under an attribute; its body stays tokens.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::token::Brace;
use syn::{Attribute, LitStr, Signature, Token, Visibility};

use super::Errors;

/// A function with a body.
pub(crate) struct FnItem {
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) vis: Visibility,
    pub(crate) sig: Signature,
    pub(crate) body: Group,
}

/// Parses the item; `None`, with an error, when it is no function with a body.
///
/// `attribute` is what the user wrote and `place` where it goes, for the message.
pub(crate) fn parse_fn(
    item: TokenStream,
    (attribute, place): (&str, &str),
    errors: &mut Errors,
) -> Option<FnItem> {
    let parse = |input: ParseStream<'_>| {
        let attrs = input.call(Attribute::parse_outer)?;
        let vis: Visibility = input.parse()?;
        if let Some((what, span)) = other_item(input) {
            let message = format!("`{attribute}` goes on {place}, not on {what}");
            return Err(syn::Error::new(span, message));
        }
        let sig: Signature = input.parse()?;
        if let Ok(semicolon) = input.parse::<Token![;]>() {
            let message = format!("`{attribute}` cannot be used on a function without a body");
            return Err(syn::Error::new(semicolon.span, message));
        }
        match input.parse()? {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => Ok(FnItem {
                attrs,
                vis,
                sig,
                body,
            }),
            other => Err(syn::Error::new(
                other.span(),
                "expected the body of a function",
            )),
        }
    };
    parse
        .parse2(item)
        .map_err(|error| errors.add_error(error))
        .ok()
}

/// What kind of item begins here, when it is not a function.
fn other_item(input: ParseStream<'_>) -> Option<(&'static str, Span)> {
    let input = input.fork();
    loop {
        let ident = input.call(Ident::parse_any).ok()?;
        let what = match ident.to_string().as_str() {
            "struct" => "a `struct`",
            "enum" => "an `enum`",
            "union" => "a `union`",
            "trait" => "a `trait`",
            "impl" => "an `impl` block",
            "mod" => "a `mod`",
            "use" => "a `use`",
            "type" => "a `type`",
            "static" => "a `static`",
            "macro_rules" => "a `macro_rules!`",
            "extern" => {
                // The name of an ABI may follow, then a function or a block of them.
                let _ = input.parse::<LitStr>();
                if !input.peek(Brace) {
                    continue;
                }
                "an `extern` block"
            }
            "const" if input.peek2(Token![:]) => "a `const`",
            "const" | "unsafe" | "async" | "safe" | "default" => continue,
            _ => return None,
        };
        return Some((what, ident.span()));
    }
}
