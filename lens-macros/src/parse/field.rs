//! One attribute of a span, as in `model.size = 7` and `path:? = path`.

use proc_macro2::Ident;
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Expr, LitStr, Token};

/// One attribute of a span.
pub(crate) struct Field {
    pub(crate) key: String,
    pub(crate) capture: Capture,
    pub(crate) value: Expr,
}

/// How a value is taken.
#[derive(Clone, Copy)]
pub(crate) enum Capture {
    /// With its type.
    Typed,
    /// `:%`, by `Display`.
    Display,
    /// `:?`, by `Debug`.
    Debug,
}

/// Parses `key`, `key = value` and either with `:?` or `:%` behind the key, which is a name,
/// names with dots between them, or a string.
pub(super) fn parse_field(input: ParseStream<'_>) -> syn::Result<Field> {
    if input.peek(LitStr) {
        let key: LitStr = input.parse()?;
        let (capture, has_value) = parse_capture(input)?;
        if !has_value {
            let message = format!("expected `= value` after the key {:?}", key.value());
            return Err(syn::Error::new(key.span(), message));
        }
        return Ok(Field {
            key: key.value(),
            capture,
            value: input.parse()?,
        });
    }
    let word = |input: ParseStream<'_>| {
        let wrong = |error: syn::Error| {
            syn::Error::new(error.span(), "expected a key, such as `loss = 0.5`")
        };
        input.call(Ident::parse_any).map_err(wrong)
    };
    let key = Punctuated::<Ident, Token![.]>::parse_separated_nonempty_with(input, word)?;
    let words: Vec<_> = key.iter().map(|ident| ident.unraw().to_string()).collect();
    let (capture, has_value) = parse_capture(input)?;
    let value = if has_value {
        input.parse()?
    } else {
        // A name alone is the variable of that name.
        syn::parse2(key.to_token_stream())?
    };
    Ok(Field {
        key: words.join("."),
        capture,
        value,
    })
}

/// What stands between key and value, and whether there is a value.
fn parse_capture(input: ParseStream<'_>) -> syn::Result<(Capture, bool)> {
    if input.parse::<Option<Token![:]>>()?.is_none() {
        return Ok((
            Capture::Typed,
            input.parse::<Option<Token![=]>>()?.is_some(),
        ));
    }
    if input.parse::<Option<Token![%=]>>()?.is_some() {
        return Ok((Capture::Display, true));
    }
    let capture = if input.parse::<Option<Token![%]>>()?.is_some() {
        Capture::Display
    } else if input.parse::<Option<Token![?]>>()?.is_some() {
        Capture::Debug
    } else {
        return Err(input.error("expected `:?` or `:%` after the key"));
    };
    Ok((capture, input.parse::<Option<Token![=]>>()?.is_some()))
}
