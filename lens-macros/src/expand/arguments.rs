//! The arguments of a function whose body moves into a closure.
//!
//! Each is bound anew where the body begins, so that they are dropped in their order, as
//! without the closure; and `mut` goes along, since a captured variable cannot be set to a
//! borrow of a local. References need the latter only. What is bound to `_` or by `ref` stays
//! outside, and is dropped after the others.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::token::Mut;
use syn::{Attribute, FnArg, Pat, Receiver, ReceiverKind, Signature, Type};

/// A variable of an argument.
struct Binding {
    mutability: Option<Mut>,
    ident: Ident,
    /// The conditions under which it is there.
    cfgs: Vec<Attribute>,
}

/// Takes `mut` from the arguments of `sig`, and returns what binds them anew:
///
/// ```text
/// #[allow(clippy::shadow_reuse)]
/// let (list, mut text) = (list, text);
/// ```
pub(super) fn rebound(sig: &mut Signature) -> TokenStream {
    let mut statements = Vec::new();
    let mut together = Vec::new();
    for input in &mut sig.inputs {
        let argument = match input {
            FnArg::Typed(argument) => argument,
            FnArg::Receiver(receiver) => {
                statements.push(captured(receiver));
                continue;
            }
        };
        let mut found = Vec::new();
        let cfgs: Vec<_> = argument
            .attrs
            .iter()
            .filter(|attr| is_cfg(attr))
            .cloned()
            .collect();
        take_mut(&mut argument.pat, &cfgs, &mut found);
        let is_reference = matches!(*argument.ty, Type::Reference(_));
        found.retain(|binding| binding.mutability.is_some() || !is_reference);
        if found.is_empty() {
            continue;
        }
        // What the user says of an argument's lints is now of the new variable.
        let lints: Vec<_> = argument
            .attrs
            .extract_if(.., |attr| is_lint(attr))
            .collect();
        for binding in found {
            if lints.is_empty() && binding.cfgs.is_empty() {
                together.push(binding);
            } else {
                statements.push(statement(&[], &std::mem::take(&mut together)));
                let attrs: Vec<_> = binding.cfgs.iter().chain(&lints).cloned().collect();
                statements.push(statement(&attrs, &[binding]));
            }
        }
    }
    statements.push(statement(&[], &together));
    statements.into_iter().collect()
}

/// Has a `self` that is a value captured whole, as a function has it: a closure would take the
/// fields it names, and copies of those that can be copied.
fn captured(receiver: &Receiver) -> TokenStream {
    let this = &receiver.self_token;
    match receiver.kind {
        ReceiverKind::Reference(..) => TokenStream::new(),
        _ => quote!(let _ = &#this;),
    }
}

fn statement(attrs: &[Attribute], bindings: &[Binding]) -> TokenStream {
    let idents = bindings.iter().map(|binding| &binding.ident);
    let anew = bindings.iter().map(|binding| {
        let (mutability, ident) = (&binding.mutability, &binding.ident);
        quote!(#mutability #ident)
    });
    let statement = match bindings {
        [] => return TokenStream::new(),
        [_] => quote!(#[allow(clippy::shadow_same)] #(#attrs)* let #(#anew)* = #(#idents)*;),
        _ => quote!(#[allow(clippy::shadow_reuse)] #(#attrs)* let (#(#anew),*) = (#(#idents),*);),
    };
    let is_unused = |binding: &Binding| binding.ident.to_string().starts_with('_');
    let allow =
        (bindings.iter().any(is_unused)).then(|| quote!(#[allow(clippy::used_underscore_binding)]));
    quote!(#allow #statement)
}

fn is_cfg(attr: &Attribute) -> bool {
    attr.path().is_ident("cfg")
}

fn is_lint(attr: &Attribute) -> bool {
    ["allow", "expect", "warn", "deny", "forbid", "cfg_attr"]
        .iter()
        .any(|level| attr.path().is_ident(level))
}

fn take_mut(pat: &mut Pat, cfgs: &[Attribute], found: &mut Vec<Binding>) {
    match pat {
        Pat::Ident(binding) => {
            if binding.by_ref.is_none() {
                found.push(Binding {
                    mutability: binding.mutability.take(),
                    ident: binding.ident.clone(),
                    cfgs: cfgs.to_vec(),
                });
            }
            if let Some((_, inner)) = &mut binding.subpat {
                take_mut(inner, cfgs, found);
            }
        }
        Pat::Tuple(tuple) => tuple
            .elems
            .iter_mut()
            .for_each(|pat| take_mut(pat, cfgs, found)),
        Pat::TupleStruct(tuple) => {
            tuple
                .elems
                .iter_mut()
                .for_each(|pat| take_mut(pat, cfgs, found));
        }
        Pat::Slice(slice) => slice
            .elems
            .iter_mut()
            .for_each(|pat| take_mut(pat, cfgs, found)),
        Pat::Struct(fields) => {
            for field in &mut fields.fields {
                let own = field.attrs.iter().filter(|attr| is_cfg(attr));
                let cfgs: Vec<_> = cfgs.iter().chain(own).cloned().collect();
                take_mut(&mut field.pat, &cfgs, found);
            }
        }
        Pat::Reference(reference) => take_mut(&mut reference.pat, cfgs, found),
        Pat::Paren(paren) => take_mut(&mut paren.pat, cfgs, found),
        Pat::Type(typed) => take_mut(&mut typed.pat, cfgs, found),
        Pat::Or(or) => {
            // Each case has the same variables.
            let mut cases = or.cases.iter_mut();
            if let Some(first) = cases.next() {
                take_mut(first, cfgs, found);
            }
            cases.for_each(|case| take_mut(case, cfgs, &mut Vec::new()));
        }
        _ => {}
    }
}
