//! The parts that every span's expansion has: where it is, and what is said of it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprReference, Token};

use crate::parse::{Args, Capture, Field, Value};

/// A static that stands for this place.
///
/// ```text
/// ::lens::__site!(::core::line!(); group("step") kind(::lens::__private::SpanKind::Server))
/// ```
pub(super) fn site(args: &Args, at: Span, lens: &TokenStream) -> TokenStream {
    let group = args.get("group").and_then(|group| match group {
        Value::Expr(group) => Some(quote!(group(#group))),
        _ => None,
    });
    let kind = args.get("kind").and_then(|kind| match kind {
        Value::Word(word) => {
            let kind = variant(&word.value(), word.span());
            Some(quote!(kind(#lens::__private::SpanKind::#kind)))
        }
        _ => None,
    });
    let line = line(at);
    quote!(#lens::__site!(#line; #group #kind))
}

/// `&value`, with parentheses where they are needed.
pub(super) fn reference(value: &Expr) -> Expr {
    let mut value = value;
    // The invisible parentheses of a macro's variable do not survive.
    while let Expr::Group(group) = value {
        value = &group.expr;
    }
    Expr::Reference(ExprReference {
        attrs: Vec::new(),
        and_token: Token![&](value.span()),
        mutability: None,
        expr: Box::new(value.clone()),
    })
}

/// The line of a token of the user's.
pub(super) fn line(at: Span) -> TokenStream {
    quote_spanned!(at=> ::core::line!())
}

/// `server` as `Server`.
pub(super) fn variant(word: &str, span: Span) -> Ident {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    let word: String = first.into_iter().chain(letters).collect();
    let mut ident = format_ident!("{word}");
    ident.set_span(span.resolved_at(Span::mixed_site()));
    ident
}

/// A closure that says what the span is, asked when it is on.
///
/// ```text
/// |__lens_span| __lens_span.name("train.step").parent(&cx).field("iteration", &i)
/// ```
pub(super) fn description(name: Option<&Expr>, args: &Args, fields: &[Field]) -> TokenStream {
    let name = name.map(|name| quote!(.name(#name)));
    let expr = |key| match args.get(key) {
        Some(Value::Expr(expr)) => Some(expr),
        _ => None,
    };
    let parent = expr("parent").map(|parent| {
        let parent_ref = reference(parent);
        quote_spanned!(parent.span()=> .parent(#parent_ref))
    });
    let links = expr("links").map(|links| quote_spanned!(links.span()=> .links(#links)));
    let fields = fields.iter().map(|field| {
        let key = &field.key;
        let value = reference(&field.value);
        let method = match field.capture {
            Capture::Typed => quote!(field),
            Capture::Display => quote!(display),
            Capture::Debug => quote!(debug),
        };
        // At the value, where an error about its type belongs.
        quote_spanned!(field.value.span()=> .#method(#key, #value))
    });
    quote!(|__lens_span| __lens_span #name #parent #links #(#fields)*)
}
