//! The function under an attribute; its body stays tokens.

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::token::Brace;
use syn::{AttrStyle, Attribute, LitStr, Signature, Token, Visibility};

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
        if let Some((what, span)) = not_a_function(input) {
            let message = format!("`{attribute}` goes on {place}, not on {what}");
            return Err(syn::Error::new(span, message));
        }
        let sig: Signature = input.parse()?;
        if let Ok(semicolon) = input.parse::<Token![;]>() {
            let message = format!("`{attribute}` cannot be used on a function without a body");
            return Err(syn::Error::new(semicolon.span, message));
        }
        let (mut inner, body) = body(input.parse()?)?;
        let mut attrs = attrs;
        attrs.append(&mut inner);
        Ok(FnItem {
            attrs,
            vis,
            sig,
            body,
        })
    };
    parse
        .parse2(item)
        .map_err(|error| errors.add_error(error))
        .ok()
}

/// The body in its braces, and the attributes that stand at its top: those go to the
/// function, since what is printed has the body in an inner block.
fn body(token: TokenTree) -> syn::Result<(Vec<Attribute>, Group)> {
    let TokenTree::Group(group) = token else {
        return Err(syn::Error::new(
            token.span(),
            "expected the body of a function",
        ));
    };
    match group.delimiter() {
        Delimiter::Brace => {}
        // A block that a user's own `macro_rules!` passed on.
        Delimiter::None => return body_of_one(group),
        _ => {
            return Err(syn::Error::new(
                group.span(),
                "expected the body of a function",
            ));
        }
    }
    let parse = |input: ParseStream<'_>| {
        Ok((
            input.call(Attribute::parse_inner)?,
            input.parse::<TokenStream>()?,
        ))
    };
    let (mut attrs, statements) = parse.parse2(group.stream())?;
    for attr in &mut attrs {
        attr.style = AttrStyle::Outer;
    }
    let mut body = Group::new(Delimiter::Brace, statements);
    body.set_span(group.span());
    Ok((attrs, body))
}

fn body_of_one(group: Group) -> syn::Result<(Vec<Attribute>, Group)> {
    match group.stream().into_iter().next() {
        Some(inner) => body(inner),
        None => Err(syn::Error::new(
            group.span(),
            "expected the body of a function",
        )),
    }
}

/// What kind of item this is, and where that is told.
pub(crate) fn other_item(item: TokenStream) -> (&'static str, Span) {
    let parse = |input: ParseStream<'_>| {
        input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        let found = not_a_function(input).unwrap_or_else(|| ("a function", input.span()));
        input.parse::<TokenStream>()?;
        Ok(found)
    };
    parse
        .parse2(item)
        .unwrap_or_else(|error| ("this", error.span()))
}

/// What kind of item begins here, when it is not a function.
fn not_a_function(input: ParseStream<'_>) -> Option<(&'static str, Span)> {
    let input = input.fork();
    loop {
        let ident = input.call(Ident::parse_any).ok()?;
        let what = match ident.to_string().as_str() {
            "struct" => "a `struct`",
            "enum" => "an `enum`",
            "union" => "a `union`",
            "trait" => "a `trait`",
            "impl" => "an `impl` block",
            "mod" if input.peek2(Token![;]) => "a module with a file of its own",
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
            "fn" => return None,
            _ if input.peek(Token![!]) || input.peek(Token![::]) => "a macro call",
            _ => return None,
        };
        return Some((what, ident.span()));
    }
}
