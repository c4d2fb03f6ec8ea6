//! The arguments of a function whose body moves into a closure.
//!
//! Each is bound anew where the body begins, so that they are dropped in their order, as
//! without the closure; and `mut` goes along, since a captured variable cannot be set to a
//! borrow of a local. References need the latter only.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::token::Mut;
use syn::{Attribute, FnArg, Pat, Signature, Type};

/// Takes `mut` from the arguments of `sig`, and returns what binds them anew:
///
/// ```text
/// #[allow(clippy::shadow_reuse, clippy::shadow_same)]
/// let (list, mut text) = (list, text);
/// ```
pub(super) fn rebound(sig: &mut Signature) -> TokenStream {
    let mut statements = Vec::new();
    let mut together = Vec::new();
    for input in &mut sig.inputs {
        // `self` cannot be bound anew, and cannot be a borrow of a local.
        let FnArg::Typed(argument) = input else {
            continue;
        };
        let mut found = Vec::new();
        take_mut(&mut argument.pat, &mut found);
        let is_reference = matches!(*argument.ty, Type::Reference(_));
        found.retain(|(ident, mutability)| {
            let is_unused = ident.to_string().starts_with('_');
            mutability.is_some() || !(is_reference || is_unused)
        });
        if found.is_empty() {
            continue;
        }
        // What the user says of an argument's lints is now of the new variable.
        let lints: Vec<_> = argument
            .attrs
            .extract_if(.., |attr| is_lint(attr))
            .collect();
        if lints.is_empty() {
            together.append(&mut found);
        } else {
            statements.push(statement(&[], &std::mem::take(&mut together)));
            statements.push(statement(&lints, &found));
        }
    }
    statements.push(statement(&[], &together));
    statements.into_iter().collect()
}

fn statement(lints: &[Attribute], bindings: &[(Ident, Option<Mut>)]) -> TokenStream {
    let idents = bindings.iter().map(|(ident, _)| ident);
    let anew = bindings
        .iter()
        .map(|(ident, mutability)| quote!(#mutability #ident));
    let statement = match bindings {
        [] => return TokenStream::new(),
        [_] => quote!(let #(#anew)* = #(#idents)*;),
        _ => quote!(let (#(#anew),*) = (#(#idents),*);),
    };
    quote!(#[allow(clippy::shadow_reuse, clippy::shadow_same)] #(#lints)* #statement)
}

fn is_lint(attr: &Attribute) -> bool {
    ["allow", "expect", "warn", "deny", "forbid"]
        .iter()
        .any(|level| attr.path().is_ident(level))
}

fn take_mut(pat: &mut Pat, found: &mut Vec<(Ident, Option<Mut>)>) {
    match pat {
        Pat::Ident(binding) => {
            let mutability = match &binding.by_ref {
                None => binding.mutability.take(),
                Some(_) => None,
            };
            found.push((binding.ident.clone(), mutability));
            if let Some((_, inner)) = &mut binding.subpat {
                take_mut(inner, found);
            }
        }
        Pat::Tuple(tuple) => tuple.elems.iter_mut().for_each(|pat| take_mut(pat, found)),
        Pat::TupleStruct(tuple) => tuple.elems.iter_mut().for_each(|pat| take_mut(pat, found)),
        Pat::Slice(slice) => slice.elems.iter_mut().for_each(|pat| take_mut(pat, found)),
        Pat::Struct(fields) => {
            let fields = fields.fields.iter_mut();
            fields.for_each(|field| take_mut(&mut field.pat, found));
        }
        Pat::Reference(reference) => take_mut(&mut reference.pat, found),
        Pat::Paren(paren) => take_mut(&mut paren.pat, found),
        Pat::Type(typed) => take_mut(&mut typed.pat, found),
        _ => {}
    }
}
