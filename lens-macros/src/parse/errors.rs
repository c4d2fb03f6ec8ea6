//! Collects every mistake, so that all of them are shown at once.

use proc_macro2::{Span, TokenStream};

/// The mistakes found so far.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    /// Adds a mistake at `span`.
    pub(crate) fn add(&mut self, span: Span, message: impl std::fmt::Display) {
        self.add_error(syn::Error::new(span, message));
    }

    /// Adds a mistake that the parser found.
    pub(crate) fn add_error(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(first) => first.combine(error),
            None => self.0 = Some(error),
        }
    }

    /// Returns the mistakes as tokens that make the compiler report them.
    pub(crate) fn into_tokens(self) -> TokenStream {
        (self.0).map_or_else(TokenStream::new, |error| error.to_compile_error())
    }
}
