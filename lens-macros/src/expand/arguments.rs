//! The `mut` arguments of a function whose body moves into a closure.
//!
//! A captured variable has one lifetime; an argument may be set to a borrow of a local. So
//! `mut x` becomes `x` in the signature and `let mut x = x;` where the body begins.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{FnArg, Pat, Signature};

/// Takes `mut` from the arguments of `sig`, and returns what gives it back.
pub(super) fn rebound(sig: &mut Signature) -> TokenStream {
    let mut idents = Vec::new();
    for input in &mut sig.inputs {
        // `self` cannot be bound anew, and cannot be a borrow of a local.
        if let FnArg::Typed(argument) = input {
            take_mut(&mut argument.pat, &mut idents);
        }
    }
    quote!(#(let mut #idents = #idents;)*)
}

fn take_mut(pat: &mut Pat, idents: &mut Vec<Ident>) {
    match pat {
        Pat::Ident(binding) => {
            if binding.by_ref.is_none() && binding.mutability.take().is_some() {
                idents.push(binding.ident.clone());
            }
            if let Some((_, inner)) = &mut binding.subpat {
                take_mut(inner, idents);
            }
        }
        Pat::Tuple(tuple) => tuple.elems.iter_mut().for_each(|pat| take_mut(pat, idents)),
        Pat::TupleStruct(tuple) => tuple.elems.iter_mut().for_each(|pat| take_mut(pat, idents)),
        Pat::Slice(slice) => slice.elems.iter_mut().for_each(|pat| take_mut(pat, idents)),
        Pat::Struct(fields) => {
            let fields = fields.fields.iter_mut();
            fields.for_each(|field| take_mut(&mut field.pat, idents));
        }
        Pat::Reference(reference) => take_mut(&mut reference.pat, idents),
        Pat::Paren(paren) => take_mut(&mut paren.pat, idents),
        Pat::Type(typed) => take_mut(&mut typed.pat, idents),
        _ => {}
    }
}
