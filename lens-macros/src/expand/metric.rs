//! Prints `counter!` and its like.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit};

use super::site::reference;
use crate::parse::{Capture, Field, MetricCall, Value};

/// Prints a measurement, or a closure that is asked for one:
///
/// ```text
/// ::lens::__metric!(Counter; "train.tokens"; unit("{token}")).measure(|| tokens, || [])
/// ::lens::__metric!(Gauge; "queue.depth"; ).watch(|| queue.len(), [])
/// ```
pub(crate) fn metric(call: MetricCall) -> TokenStream {
    let Some((name, value)) = &call.measured else {
        return quote!(());
    };
    let (lens, kind) = (&call.lens, &call.kind);
    let about = call.args.iter().map(|(key, about)| match about {
        Value::Expr(about) if key == "buckets" => quote!(#key(&#about)),
        Value::Expr(about) => quote!(#key(#about)),
        _ => TokenStream::new(),
    });
    let attributes = call.fields.iter().map(|field| attribute(field, lens));
    let metric = quote!(#lens::__metric!(#kind; #name; #(#about)*));
    if let Expr::Closure(closure) = value {
        return quote!(#metric.watch(#closure, [#(#attributes),*]));
    }
    // At the value, where an error about its type belongs.
    let measure = quote_spanned!(value.span()=> measure);
    quote!(#metric.#measure(|| #value, || [#(#attributes),*]))
}

fn attribute(field: &Field, lens: &TokenStream) -> TokenStream {
    let (key, value) = (&field.key, &field.value);
    let is_text = matches!(
        value,
        Expr::Lit(ExprLit {
            lit: Lit::Str(_),
            ..
        })
    );
    let function = match field.capture {
        Capture::Typed if is_text => return quote!(#lens::__private::attribute_text(#key, #value)),
        Capture::Typed => quote!(attribute),
        Capture::Display => quote!(attribute_display),
        Capture::Debug => quote!(attribute_debug),
    };
    let reference = reference(value);
    quote_spanned!(value.span()=> #lens::__private::#function(#key, #reference))
}
