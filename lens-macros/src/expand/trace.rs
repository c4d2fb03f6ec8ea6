//! Prints a traced function.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Signature;

use super::arguments::rebound;
use super::braces::{block, braces, closure, future};
use super::paths;
use super::returned::{Returned, erased, outcome, typed, typed_outcome, written};
use super::site::{description, site};
use crate::model::{Trace, TraceBlock, Traced};
use crate::parse::{Args, Attributes, FnItem, Item, ItemKind, Value, functions};

/// Prints the body as the argument of a call, or after one where nobody looks at the result:
///
/// ```text
/// fn step(i: u64) -> R { site.call(description).run(move || -> R { … }).told(outcome) }
/// fn step(i: u64) { let __lens_span = site.call(description).enter(); { … } }
/// async fn load() -> R { site.call(description).run_async(async move { … }).told(outcome).await }
/// fn load() -> impl Future<Output = R> { site.call(…).run_future(move || { … }).told(outcome) }
/// ```
pub(crate) fn trace(traced: Traced) -> TokenStream {
    match traced {
        Traced::Function(trace) => function(&trace),
        Traced::Block(block) => functions_of(&block),
    }
}

fn function(trace: &Trace) -> TokenStream {
    let lens = paths::lens(&trace.args);
    let FnItem {
        attrs,
        vis,
        sig,
        body,
    } = &trace.func;
    let mut sig = sig.clone();
    let span = call(&trace.args, &sig, &lens);
    let (err, asks_caller) = (trace.err, trace.asks_caller);
    let printed = match Returned::of(&trace.func.sig) {
        _ if sig.asyncness.is_some() => {
            let ty = written(&trace.func.sig);
            let (typed, outcome) = (typed(ty, &lens), outcome(ty, err, &lens));
            let rebound = rebound(&mut sig);
            let future = future(body, quote!(#typed #rebound));
            quote!(#span.run_async(#future).told(#outcome).await)
        }
        Returned::Value(ty) if err && let Some(erased) = erased(ty) => {
            let outcome = outcome(Some(ty), err, &lens);
            let rebound = rebound(&mut sig);
            let closure = closure(body, quote!(-> #erased), rebound);
            quote!(#span.run(#closure).told(#outcome))
        }
        Returned::Future { output, is_boxed } if !asks_caller => {
            let rebound = rebound(&mut sig);
            if is_boxed {
                let outcome = outcome(Some(output), err, &lens);
                let arrow = &sig.output;
                let closure = closure(body, quote!(#arrow), rebound);
                quote!(#span.run_boxed(#closure).told(#outcome, |__lens_future| __lens_future))
            } else {
                let outcome = typed_outcome(output, err, &lens);
                let closure = closure(body, TokenStream::new(), rebound);
                quote!(#span.run_future(#closure).told(#outcome))
            }
        }
        Returned::Plain | Returned::Value(_) | Returned::Future { .. } => {
            let block = block(body, quote!(let __lens_span = #span.enter();));
            return quote!(#(#attrs)* #vis #sig #block);
        }
    };
    let braces = braces(body, printed);
    quote!(#(#attrs)* #vis #sig #braces)
}

fn call(args: &Args, sig: &Signature, lens: &TokenStream) -> TokenStream {
    let site = site(args, sig.ident.span(), lens);
    let name = match args.get("name") {
        Some(Value::Expr(name)) => Some(name),
        _ => None,
    };
    let fields = match args.get("fields") {
        Some(Value::Fields(fields)) => fields.as_slice(),
        _ => &[],
    };
    let description = description(name, args, fields);
    quote!(#site.call(#description))
}

/// Prints the block with the attribute on each of its functions that has none of its own:
///
/// ```text
/// impl Model {
///     #[::lens::trace(group = "step")]
///     fn step(&self) { … }
/// }
/// ```
fn functions_of(block: &TraceBlock) -> TokenStream {
    let (head, inner_attrs) = (&block.block.head, &block.block.inner_attrs);
    let items = block.block.items.iter().map(|item| {
        let (attrs, tokens) = (&item.attrs, &item.tokens);
        let attribute = attribute(block, item);
        quote!(#(#attrs)* #attribute #tokens)
    });
    quote_spanned!(block.block.braces=> #head { #(#inner_attrs)* #(#items)* })
}

fn attribute(block: &TraceBlock, item: &Item) -> Option<TokenStream> {
    let lens = paths::lens(&block.args);
    let skip = match &item.kind {
        ItemKind::Function(name) if block.skip.contains(name) || item.attrs.has("test") => {
            return None;
        }
        ItemKind::Function(_) => None,
        ItemKind::Block(_) => {
            let inside = functions(item.tokens.clone());
            let skip = block
                .skip
                .iter()
                .filter(|skip| inside.iter().any(|name| skip == &name));
            Some(skip.collect::<Vec<_>>()).filter(|skip| !skip.is_empty())
        }
        ItemKind::Other => return None,
    };
    let skip = skip.map(|skip| quote!(skip(#(#skip),*),));
    let args = block.args.iter().map(|(key, value)| match value {
        Value::Expr(value) => quote!(#key = #value,),
        Value::Word(word) => quote!(#key = #word,),
        Value::Switch(switch) => quote!(#key = #switch,),
        Value::Path(path) => quote!(#key = #path,),
        _ => TokenStream::new(),
    });
    (!item.attrs.has("trace")).then(|| quote!(#[#lens::trace(#(#args)* #skip)]))
}
