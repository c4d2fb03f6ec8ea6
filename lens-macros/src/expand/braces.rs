//! What holds a body, at the place where that stands: in code that seemed to be made by a
//! macro, the user's lints would fall silent.

use proc_macro2::{Delimiter, Group, TokenStream};
use quote::{quote, quote_spanned};

/// `{ printed }`.
pub(super) fn braces(body: &Group, printed: TokenStream) -> Group {
    let mut braces = Group::new(Delimiter::Brace, printed);
    braces.set_span(body.span());
    braces
}

/// `move || -> R { … }`, with `first` before the body.
pub(super) fn closure(body: &Group, arrow: TokenStream, first: TokenStream) -> TokenStream {
    let inner = block(body, first);
    let head = quote_spanned!(body.span()=> move ||);
    quote!(#head #arrow #inner)
}

/// `async move { … }`, with `first` before the body.
pub(super) fn future(body: &Group, first: TokenStream) -> TokenStream {
    let inner = block(body, first);
    quote_spanned!(body.span()=> async move #inner)
}

/// The body behind what comes first.
pub(super) fn block(body: &Group, first: TokenStream) -> Group {
    if first.is_empty() {
        return body.clone();
    }
    // In a block of its own, since it may begin with items; with a label, so that no lint finds
    // its braces superfluous. They are the user's, by whose edition what is in them is read.
    let own = quote_spanned!(body.span()=> '__lens_body: #body);
    braces(body, quote!(#first #own))
}
