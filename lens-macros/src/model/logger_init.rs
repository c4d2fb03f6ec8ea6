//! Finds `env_logger::init()` and its like among the statements of main.
//!
//! The one look into a body: on top-level tokens, and into an `async` block, which is what
//! a runtime's attribute leaves of main when it is expanded first.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

const INITS: [&str; 4] = ["init", "try_init", "init_from_env", "try_init_from_env"];

/// The places where main installs env_logger itself.
pub(super) fn logger_init(body: TokenStream) -> Vec<Span> {
    let mut found = Vec::new();
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    for statement in tokens.split(|token| is_punct(token, ';')) {
        if let Some(span) = init_call(statement) {
            found.push(span);
        }
        for (index, token) in statement.iter().enumerate() {
            match token {
                TokenTree::Group(block)
                    if block.delimiter() == Delimiter::Brace && follows_async(statement, index) =>
                {
                    found.extend(logger_init(block.stream()));
                }
                _ => {}
            }
        }
    }
    found
}

/// Where `statement` begins with `env_logger::` and calls an init on its way.
fn init_call(statement: &[TokenTree]) -> Option<Span> {
    let start = statement
        .iter()
        .position(|token| is_ident(token, "env_logger"))?;
    let before = statement.get(..start)?;
    // `env_logger` must begin an expression: nothing, `::`, `let x =` or `_ =` stands before.
    let begins = (before.last()).is_none_or(|token| is_punct(token, ':') || is_punct(token, '='));
    let rest = statement.get(start + 1..)?;
    let calls = rest.windows(2).any(|pair| match pair {
        [TokenTree::Ident(ident), TokenTree::Group(arguments)] => {
            arguments.delimiter() == Delimiter::Parenthesis
                && INITS.iter().any(|init| ident == init)
        }
        _ => false,
    });
    let is_path = rest.first().is_some_and(|token| is_punct(token, ':'));
    (begins && is_path && calls).then(|| statement.get(start).map(TokenTree::span))?
}

fn follows_async(statement: &[TokenTree], index: usize) -> bool {
    let word = |back: usize| {
        let token = index
            .checked_sub(back)
            .and_then(|index| statement.get(index));
        token.map(ToString::to_string)
    };
    match word(1).as_deref() {
        Some("async") => true,
        Some("move") => word(2).as_deref() == Some("async"),
        _ => false,
    }
}

fn is_punct(token: &TokenTree, punct: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == punct)
}

fn is_ident(token: &TokenTree, name: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(body: &str) -> usize {
        logger_init(body.parse().unwrap()).len()
    }

    #[test]
    fn the_ways_to_install_env_logger_are_found() {
        for body in [
            "env_logger::init();",
            "let _ = ::env_logger::try_init();",
            "env_logger::Builder::from_default_env().filter_level(x).init();",
            "env_logger::init_from_env(Env::default()); run()",
            "let body = async { env_logger::init(); run().await };",
            "let body = async move { env_logger::init() };",
        ] {
            assert_eq!(count(body), 1, "{body}");
        }
    }

    #[test]
    fn other_statements_are_not() {
        for body in [
            "ONCE.call_once(|| env_logger::init());",
            "let logger = env_logger::Builder::new().build();",
            "if legacy { env_logger::init(); }",
            "my_env_logger::init(); init();",
            "println!(\"env_logger::init()\");",
        ] {
            assert_eq!(count(body), 0, "{body}");
        }
    }
}
