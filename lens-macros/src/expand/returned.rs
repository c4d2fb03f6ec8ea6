//! What a function returns, as far as tokens tell.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    AngleBracketedGenericArguments, GenericArgument, PathArguments, PathSegment, ReturnType,
    Signature, Type, TypeParamBound, parse_quote,
};

/// What a function returns.
pub(super) enum Returned<'a> {
    /// A value that cannot be an `Err`, so that nobody needs to look at it, or whose type can
    /// be written only where it stands.
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
        match future(ty) {
            Some((output, is_boxed)) => Self::Future { output, is_boxed },
            None if may_be_result(ty) => Self::Value(ty),
            None => Self::Plain,
        }
    }
}

/// The type, with `_` where it has `impl Trait`, which can be written only in a signature.
///
/// `None`, where it cannot be told: a macro may stand for one.
pub(super) fn erased(ty: &Type) -> Option<Type> {
    let mut ty = ty.clone();
    erase(&mut ty).then_some(ty)
}

/// Whether the type could be looked through.
fn erase(ty: &mut Type) -> bool {
    match ty {
        Type::ImplTrait(_) => {
            *ty = parse_quote!(_);
            true
        }
        Type::Macro(_) => false,
        Type::Array(array) => erase(&mut array.elem),
        Type::Group(group) => erase(&mut group.elem),
        Type::Paren(paren) => erase(&mut paren.elem),
        Type::Ptr(pointer) => erase(&mut pointer.elem),
        Type::Reference(reference) => erase(&mut reference.elem),
        Type::Slice(slice) => erase(&mut slice.elem),
        Type::Tuple(tuple) => tuple.elems.iter_mut().all(erase),
        Type::Path(path) => path.path.segments.iter_mut().all(erase_arguments),
        Type::TraitObject(object) => object.bounds.iter_mut().all(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.iter_mut().all(erase_arguments),
            _ => true,
        }),
        _ => true,
    }
}

fn erase_arguments(segment: &mut PathSegment) -> bool {
    match &mut segment.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter_mut().all(|argument| match argument {
                GenericArgument::Type(ty) => erase(ty),
                GenericArgument::AssocType(assoc) => erase(&mut assoc.ty),
                _ => true,
            })
        }
        PathArguments::Parenthesized(function) => match &mut function.output {
            ReturnType::Type(_, ty) => erase(ty),
            ReturnType::Default => true,
        },
        PathArguments::None => true,
    }
}

/// A function that says what a result means.
///
/// ```text
/// ::lens::__outcome!()
/// ```
pub(super) fn outcome(ty: Option<&Type>, err: bool, lens: &TokenStream) -> TokenStream {
    match ty.filter(|ty| err && may_be_result(ty)) {
        Some(_) => quote!(#lens::__outcome!()),
        None => quote!(#lens::__private::fine),
    }
}

/// The same for a result whose type only the signature tells.
///
/// ```text
/// ::lens::__outcome!(R)
/// ```
pub(super) fn typed_outcome(ty: &Type, err: bool, lens: &TokenStream) -> TokenStream {
    match erased(ty).filter(|ty| err && may_be_result(ty)) {
        Some(ty) => quote!(#lens::__outcome!(#ty)),
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
        Some(ty) => match erased(ty) {
            Some(ty) => quote!(#lens::__returns!(#ty);),
            None => TokenStream::new(),
        },
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
    match written(sig).and_then(erased) {
        Some(ty) => quote!(-> #ty),
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
            let is_known = |bound: &TypeParamBound| match bound {
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
            opaque
                .bounds
                .iter()
                .all(is_known)
                .then_some((output, false))
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
