//! The root span of a main that a runtime's attribute has made out of an `async fn`.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;

use super::braces::braces;

/// Puts main, the `async` block among the statements of `body`, into its root span:
///
/// ```text
/// let body = async { ::lens::__private::within_root(async { … }).await };
/// ```
///
/// `None` where there is no such block; or, where nobody asked for a root span, where it is not in the
/// first statement, as what a runtime's attribute prints: others may be anything. A span that is
/// active on the thread around a runtime would show in every task of some runtimes and in none of
/// others.
pub(super) fn within_root(body: &Group, is_asked: bool, lens: &TokenStream) -> Option<Group> {
    let mut printed: Vec<TokenTree> = Vec::new();
    let mut found = false;
    for token in body.stream() {
        let is_behind = |token: &TokenTree| match token {
            TokenTree::Punct(punct) => punct.as_char() == ';',
            TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
            _ => false,
        };
        let asyncness = match &token {
            TokenTree::Group(block)
                if block.delimiter() == Delimiter::Brace
                    && (is_asked || !printed.iter().any(is_behind)) =>
            {
                asyncness(&printed)
            }
            _ => None,
        };
        let Some(asyncness) = asyncness else {
            printed.push(token);
            continue;
        };
        found = true;
        let main = quote!(#lens::__private::within_root(#asyncness #token).await);
        printed.push(TokenTree::Group(Group::new(Delimiter::Brace, main)));
    }
    found.then(|| braces(body, printed.into_iter().collect()))
}

/// `async` or `async move` at the end of `tokens`.
fn asyncness(tokens: &[TokenTree]) -> Option<TokenStream> {
    let is = |token: &TokenTree, word| matches!(token, TokenTree::Ident(ident) if ident == word);
    match tokens {
        [.., before, last] if is(before, "async") && is(last, "move") => Some(quote!(async move)),
        [.., last] if is(last, "async") => Some(quote!(async)),
        _ => None,
    }
}
