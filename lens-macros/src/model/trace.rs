//! A legal `#[lens::trace]`.

use proc_macro2::TokenStream;

use crate::parse::{Args, Errors, FnItem, TRACE, parse_args, parse_fn};

/// A traced function.
pub(crate) struct Trace {
    pub(crate) args: Args,
    pub(crate) func: FnItem,
}

/// Checks a traced function; `None` when the item cannot be one.
pub(crate) fn trace(tokens: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Trace> {
    let args = parse_args(tokens, TRACE, errors);
    let func = parse_fn(item, ("#[lens::trace]", "a function"), errors)?;
    if let Some(constness) = &func.sig.constness {
        errors.add(
            constness.span,
            "`#[lens::trace]` cannot be used on a `const fn`",
        );
        return None;
    }
    Some(Trace { args, func })
}
