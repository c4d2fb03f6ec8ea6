//! The steps of an attribute, with its errors beside its item.

use proc_macro2::TokenStream;
use quote::quote;

use crate::parse::{Errors, split_path};

/// Parses with `parse` and prints with `expand` what stands in a macro call, as an expression.
///
/// Every error is printed, and the expression too.
pub(crate) fn run_call<T>(
    tokens: proc_macro::TokenStream,
    parse: fn(TokenStream, &mut Errors) -> T,
    expand: fn(T) -> TokenStream,
) -> proc_macro::TokenStream {
    let mut errors = Errors::default();
    let expanded = expand(parse(tokens.into(), &mut errors));
    let errors = errors.into_tokens();
    if errors.is_empty() {
        expanded.into()
    } else {
        quote!({ #errors #expanded }).into()
    }
}

/// The same for a macro call that stands for items.
pub(crate) fn run_items<T>(
    tokens: proc_macro::TokenStream,
    model: fn(TokenStream, &mut Errors) -> T,
    expand: fn((TokenStream, T)) -> TokenStream,
) -> proc_macro::TokenStream {
    let mut errors = Errors::default();
    let (lens, tokens) = split_path(tokens.into());
    let expanded = expand((lens, model(tokens, &mut errors)));
    let errors = errors.into_tokens();
    quote!(#expanded #errors).into()
}

/// Checks with `model` and prints with `expand`.
///
/// Every error is printed, and the item too: so that main stays a main and callers of a
/// function still find it.
pub(crate) fn run<T>(
    arguments: proc_macro::TokenStream,
    item: proc_macro::TokenStream,
    model: fn(TokenStream, TokenStream, &mut Errors) -> Option<T>,
    expand: fn(T) -> TokenStream,
) -> proc_macro::TokenStream {
    let mut errors = Errors::default();
    let item = TokenStream::from(item);
    let expanded = model(arguments.into(), item.clone(), &mut errors).map_or(item, expand);
    let errors = errors.into_tokens();
    quote!(#expanded #errors).into()
}
