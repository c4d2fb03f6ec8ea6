//! What a function returns, as far as tokens tell.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{ReturnType, Signature, Type};

/// What a function returns.
pub(super) enum Returned {
    /// Nothing.
    Unit,
    /// A type that can be written anywhere.
    Type(TokenStream),
    /// A type with `impl Trait` in it, which can be written only here.
    Opaque,
    /// `!`.
    Never,
}

impl Returned {
    pub(super) fn of(sig: &Signature) -> Self {
        match &sig.output {
            ReturnType::Default => Self::Unit,
            ReturnType::Type(_, ty) => match &**ty {
                Type::Never(_) => Self::Never,
                ty if has_impl(ty.to_token_stream()) => Self::Opaque,
                ty => Self::Type(ty.to_token_stream()),
            },
        }
    }

    /// `-> R` for the closure that holds the body, so that a type error points into it.
    pub(super) fn arrow(&self) -> TokenStream {
        match self {
            Self::Type(ty) => quote!(-> #ty),
            Self::Unit | Self::Opaque | Self::Never => TokenStream::new(),
        }
    }

    /// Tells an async block its type, which nothing else can: so that a type error points at
    /// the user's `return` and not at the attribute.
    pub(super) fn typed(&self) -> TokenStream {
        let Self::Type(ty) = self else {
            return TokenStream::new();
        };
        quote! {
            #[allow(unreachable_code, clippy::all, clippy::pedantic, clippy::restriction)]
            if false {
                let __lens_returned: #ty = loop {};
                return __lens_returned;
            }
        }
    }

    /// A closure that says what a result means.
    ///
    /// ```text
    /// |__lens_result: &R| ::lens::__outcome!(__lens_result)
    /// ```
    pub(super) fn outcome(&self, lens: &TokenStream) -> TokenStream {
        match self {
            Self::Unit => quote!(|(): &()| #lens::__private::Outcome::Fine),
            Self::Type(ty) => quote!(|__lens_result: &#ty| #lens::__outcome!(__lens_result)),
            Self::Opaque | Self::Never => quote!(|_| #lens::__private::Outcome::Fine),
        }
    }
}

fn has_impl(ty: TokenStream) -> bool {
    ty.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == "impl",
        TokenTree::Group(group) => has_impl(group.stream()),
        _ => false,
    })
}
