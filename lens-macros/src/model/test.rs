//! A legal `#[lens_testkit::test]`.

use proc_macro2::TokenStream;
use syn::spanned::Spanned;
use syn::{FnArg, PatType};

use crate::parse::{Args, Errors, FnItem, TEST, Value, parse_args, parse_fn};

/// A test.
pub(crate) struct Test {
    pub(crate) args: Args,
    pub(crate) func: FnItem,
    /// The argument that takes the capture.
    pub(crate) capture: Option<PatType>,
}

/// Checks a test; `None` when the item cannot be one.
pub(crate) fn test(tokens: TokenStream, item: TokenStream, errors: &mut Errors) -> Option<Test> {
    let args = parse_args(tokens, TEST, errors);
    let func = parse_fn(item, ("#[lens_testkit::test]", "a function"), errors)?;
    if func.sig.asyncness.is_none() {
        for runtime in ["flavor", "start_paused"] {
            if let Some((key, _)) = args.iter().find(|(key, _)| *key == runtime) {
                errors.add(
                    key.span(),
                    format_args!(
                        "argument `{runtime}` goes on an `async fn`; this one has no runtime"
                    ),
                );
            }
        }
    }
    let is = |key, word: &str| matches!(args.get(key), Some(Value::Word(given)) if given.value() == word);
    if let Some((key, _)) = args.iter().find(|(key, _)| *key == "worker_threads")
        && !is("flavor", "multi_thread")
    {
        errors.add(
            key.span(),
            "argument `worker_threads` needs `flavor = \"multi_thread\"`",
        );
    }
    let should_panic = func
        .attrs
        .iter()
        .find(|attr| attr.path().is_ident("should_panic"));
    if let Some(should_panic) = should_panic.filter(|_| is("isolation", "process")) {
        errors.add(
            should_panic.span(),
            "`#[should_panic]` and `isolation = \"process\"` cannot both be set; catch the panic \
             in the test",
        );
    }
    let mut inputs = func.sig.inputs.iter();
    let capture = match inputs.next() {
        None => None,
        Some(FnArg::Typed(capture)) => Some(capture.clone()),
        Some(FnArg::Receiver(receiver)) => {
            errors.add(receiver.span(), "a test cannot have `self`");
            return None;
        }
    };
    if let Some(more) = inputs.next() {
        errors.add(
            more.span(),
            "a test cannot have another argument than its `Capture`",
        );
        return None;
    }
    Some(Test {
        args,
        func,
        capture,
    })
}
