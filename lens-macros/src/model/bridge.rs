//! A legal `#[lens::bridge]`.

use proc_macro2::TokenStream;

use crate::parse::{Args, BRIDGE, Block, Errors, other_item, parse_args, parse_block};

/// A module with a scope.
pub(crate) struct Bridge {
    pub(crate) args: Args,
    pub(crate) module: Block,
}

/// Checks a module with a scope; `None` when the item is none.
pub(crate) fn bridge(
    tokens: TokenStream,
    item: TokenStream,
    errors: &mut Errors,
) -> Option<Bridge> {
    let args = scope(tokens, errors);
    match parse_block(item.clone()).filter(|block| block.keyword == "mod") {
        Some(module) => Some(Bridge { args, module }),
        None => {
            let (what, span) = other_item(item);
            let message = if what == "a module with a file of its own" {
                "`#[lens::bridge]` cannot be used on `mod x;`; write \
                 `lens::bridge_module!(level = \"debug\");` at the top of the module's file"
                    .to_owned()
            } else {
                format!("`#[lens::bridge]` goes on an inline module, not on {what}")
            };
            errors.add(span, message);
            None
        }
    }
}

/// Checks what a scope says.
pub(crate) fn scope(tokens: TokenStream, errors: &mut Errors) -> Args {
    let args = parse_args(tokens, BRIDGE, errors);
    if let (Some(level), Some(off)) = (args.key("level"), args.key("off")) {
        // The later one is the one too many.
        let later = args
            .iter()
            .filter(|(key, _)| *key == level || *key == off)
            .last();
        let later = later.map_or(off, |(key, _)| key);
        errors.add(
            later.span(),
            "`level` and `off` cannot both be set; keep one",
        );
    }
    args
}
