//! Prints `span!` and `record!`.

use proc_macro2::{Span, TokenStream};
use quote::quote;

use super::site::{description, site};
use crate::parse::SpanCall;

/// Prints a guard:
///
/// ```text
/// ::lens::__site!(::core::line!(); …).call(|__lens_span| __lens_span.name("evaluate")).guard()
/// ```
pub(crate) fn span(call: SpanCall) -> TokenStream {
    let site = site(&call.args, Span::call_site(), &call.lens);
    let description = description(call.name.as_ref(), &call.args, &call.fields);
    quote!(#site.call(#description).guard())
}

/// Prints a call:
///
/// ```text
/// ::lens::__private::record_active(|__lens_span| __lens_span.field("loss", &loss))
/// ```
pub(crate) fn record(call: SpanCall) -> TokenStream {
    let lens = &call.lens;
    let description = description(None, &call.args, &call.fields);
    quote!(#lens::__private::record_active(#description))
}
