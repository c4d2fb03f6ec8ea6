//! What a function returns, as far as tokens tell.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::{
    AngleBracketedGenericArguments, GenericArgument, PathArguments, PathSegment, ReturnType,
    Signature, Type, TypeParamBound,
};

/// What a function returns.
pub(super) enum Returned<'a> {
    /// A value that cannot be an `Err`, so that nobody needs to look at it.
    Plain,
    /// A value of a type that may be a `Result`.
    Value(&'a Type),
    /// A future of such a type; with what it is in when that is a box.
    Future { output: &'a Type, is_boxed: bool },
}

impl<'a> Returned<'a> {
    pub(super) fn of(sig: &'a Signature) -> Self {
        let Some(ty) = written(sig) else {
            return Self::Plain;
        };
        if sig.asyncness.is_some() {
            return Self::Value(ty);
        }
        if let Some((output, is_boxed)) = future(ty) {
            return Self::Future { output, is_boxed };
        }
        if may_be_result(ty) {
            Self::Value(ty)
        } else {
            Self::Plain
        }
    }
}

/// The type, with `_` where it has `impl Trait`, which can be written only in a signature.
pub(super) fn erased(ty: &Type) -> TokenStream {
    let mut erased = TokenStream::new();
    let mut tokens = ty.to_token_stream().into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Ident(ident) if ident == "impl" => {
                // Until the comma or the `>` that ends this argument.
                let mut depth = 0_usize;
                let mut before = ' ';
                while let Some(next) = tokens.next_if(|next| match next {
                    TokenTree::Punct(punct) => {
                        !(depth == 0 && before != '-' && matches!(punct.as_char(), ',' | '>' | ';'))
                    }
                    _ => true,
                }) {
                    let punct = match &next {
                        TokenTree::Punct(punct) => punct.as_char(),
                        _ => ' ',
                    };
                    match punct {
                        '<' => depth += 1,
                        '>' if before != '-' => depth -= 1,
                        _ => {}
                    }
                    before = punct;
                }
                erased.extend(quote!(_));
            }
            TokenTree::Group(group) => {
                let inner = syn::parse2::<Type>(group.stream())
                    .map_or_else(|_| group.stream(), |ty| self::erased(&ty));
                let mut group = proc_macro2::Group::new(group.delimiter(), inner);
                group.set_span(group.span());
                erased.extend([TokenTree::Group(group)]);
            }
            other => erased.extend([other]),
        }
    }
    erased
}

/// A function that says what a result means.
///
/// ```text
/// ::lens::__outcome!(R)
/// ```
pub(super) fn outcome(ty: Option<&Type>, err: bool, lens: &TokenStream) -> TokenStream {
    match ty.filter(|ty| err && may_be_result(ty)) {
        Some(ty) => {
            let ty = erased(ty);
            quote!(#lens::__outcome!(#ty))
        }
        None => quote!(#lens::__private::fine),
    }
}

/// Tells an async block its type.
///
/// ```text
/// ::lens::__returns!(R);
/// ```
pub(super) fn typed(ty: Option<&Type>, lens: &TokenStream) -> TokenStream {
    match ty.map(unwrapped) {
        None | Some(Type::Never(_) | Type::ImplTrait(_)) => TokenStream::new(),
        Some(ty) => {
            let ty = erased(ty);
            quote!(#lens::__returns!(#ty);)
        }
    }
}

/// The type behind the arrow, if there is one.
pub(super) fn written(sig: &Signature) -> Option<&Type> {
    match &sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(unwrapped(ty)),
    }
}

/// `-> R` for a closure that holds the body, so that a type error points into it.
pub(super) fn arrow(sig: &Signature) -> TokenStream {
    match written(sig) {
        Some(ty) => {
            let ty = erased(ty);
            quote!(-> #ty)
        }
        None => TokenStream::new(),
    }
}

/// Whether a value of this type could be an `Err`: any name may be one's alias, but those of
/// the primitive types begin with a small letter.
fn may_be_result(ty: &Type) -> bool {
    match unwrapped(ty) {
        Type::Path(path) => match path.path.get_ident() {
            Some(ident) if path.qself.is_none() => !ident
                .to_string()
                .starts_with(|c: char| c.is_ascii_lowercase()),
            _ => true,
        },
        Type::Macro(_) => true,
        _ => false,
    }
}

/// The output of a future, as `impl Future<Output = R>` or `Pin<Box<dyn Future<Output = R>>>`,
/// and whether it is the latter.
fn future(ty: &Type) -> Option<(&Type, bool)> {
    match ty {
        Type::ImplTrait(opaque) => {
            let others = |bound: &TypeParamBound| match bound {
                TypeParamBound::Trait(bound) => {
                    let last = bound.path.segments.last();
                    last.is_some_and(|last| {
                        ["Future", "Send", "Sync", "Unpin"]
                            .iter()
                            .any(|name| last.ident == name)
                    })
                }
                _ => true,
            };
            let output = output(opaque.bounds.iter())?;
            opaque.bounds.iter().all(others).then_some((output, false))
        }
        Type::Path(pin) => {
            let boxed = only_argument(pin.path.segments.last()?, "Pin")?;
            let Type::Path(boxed) = boxed else {
                return None;
            };
            let object = only_argument(boxed.path.segments.last()?, "Box")?;
            let Type::TraitObject(object) = object else {
                return None;
            };
            Some((output(object.bounds.iter())?, true))
        }
        _ => None,
    }
}

/// `T` of a segment `name<T>`.
fn only_argument<'a>(segment: &'a PathSegment, name: &str) -> Option<&'a Type> {
    let mut arguments = arguments(segment, name)?.args.iter();
    match (arguments.next()?, arguments.next()) {
        (GenericArgument::Type(ty), None) => Some(unwrapped(ty)),
        _ => None,
    }
}

/// `R` of the bound `Future<Output = R>` among these.
fn output<'a>(mut bounds: impl Iterator<Item = &'a TypeParamBound>) -> Option<&'a Type> {
    bounds.find_map(|bound| {
        let TypeParamBound::Trait(bound) = bound else {
            return None;
        };
        let arguments = arguments(bound.path.segments.last()?, "Future")?;
        arguments.args.iter().find_map(|argument| match argument {
            GenericArgument::AssocType(assoc) if assoc.ident == "Output" => Some(&assoc.ty),
            _ => None,
        })
    })
}

fn arguments<'a>(
    segment: &'a PathSegment,
    name: &str,
) -> Option<&'a AngleBracketedGenericArguments> {
    match &segment.arguments {
        PathArguments::AngleBracketed(arguments) if segment.ident == name => Some(arguments),
        _ => None,
    }
}

/// The type without parentheses and the invisible ones that a macro's variable has.
fn unwrapped(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => unwrapped(&group.elem),
        Type::Paren(paren) => unwrapped(&paren.elem),
        ty => ty,
    }
}
