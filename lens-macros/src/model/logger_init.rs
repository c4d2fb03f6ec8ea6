//! Finds `env_logger::init()`, `tracing_subscriber::fmt::init()` and their like among the
//! statements of main.
//!
//! The one look into a body: on top-level tokens, and into an `async` block, which is what
//! a runtime's attribute leaves of main when it is expanded first.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

const INITS: [&str; 4] = ["init", "try_init", "init_from_env", "try_init_from_env"];
const ENV_LOGGER: &str = "env_logger";
const TRACING: &str = "tracing_subscriber";

/// What main installs itself, and where.
#[derive(Clone, Copy)]
pub(super) enum LoggerInit {
    EnvLogger(Span),
    Tracing(Span),
}

/// The places where main takes the slot of `log` itself.
pub(super) fn logger_init(body: TokenStream) -> Vec<LoggerInit> {
    let tokens: Vec<TokenTree> = body.into_iter().collect();
    let mut found: Vec<_> = (0..tokens.len())
        .filter_map(|at| init_call(&tokens, at))
        .collect();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(block)
                if block.delimiter() == Delimiter::Brace && follows_async(&tokens, index) =>
            {
                found.extend(logger_init(block.stream()));
            }
            _ => {}
        }
    }
    found
}

/// Whether `env_logger::…` or its like stands at `at` and calls an init before its statement ends.
fn init_call(tokens: &[TokenTree], at: usize) -> Option<LoggerInit> {
    let name = tokens.get(at)?;
    let found = match name {
        _ if is_ident(name, ENV_LOGGER) => LoggerInit::EnvLogger,
        _ if is_ident(name, TRACING) => LoggerInit::Tracing,
        _ => return None,
    };
    let rest = tokens.get(at + 1..)?;
    let is_path = rest.first().is_some_and(|token| is_punct(token, ':'));
    let before = tokens.get(..at)?;
    // `crate::env_logger` is something else; `::env_logger` is not.
    let before = match before {
        [start @ .., colon, _] if is_punct(colon, ':') => start,
        _ => before,
    };
    let begins = match before.last() {
        None => true,
        Some(TokenTree::Punct(punct)) => matches!(punct.as_char(), ';' | '='),
        Some(TokenTree::Group(group)) => group.delimiter() == Delimiter::Brace,
        Some(_) => false,
    };
    let statement = rest.split(|token| is_punct(token, ';')).next()?;
    let calls = statement.windows(2).any(|pair| match pair {
        [TokenTree::Ident(ident), TokenTree::Group(arguments)] => {
            arguments.delimiter() == Delimiter::Parenthesis
                && INITS.iter().any(|init| ident == init)
        }
        _ => false,
    });
    (is_path && begins && calls).then(|| found(name.span()))
}

fn follows_async(tokens: &[TokenTree], index: usize) -> bool {
    let word = |back: usize| {
        let token = index.checked_sub(back).and_then(|index| tokens.get(index));
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
            "if x { y() } env_logger::init();",
            "fn helper() {} ::env_logger::init()",
        ] {
            assert_eq!(count(body), 1, "{body}");
        }
    }

    #[test]
    fn the_ways_to_install_a_subscriber_are_found() {
        for body in [
            "tracing_subscriber::fmt::init();",
            "tracing_subscriber::fmt().json().with_target(false).init();",
            "let _ = tracing_subscriber::registry().with(fmt::layer()).try_init();",
        ] {
            let found = logger_init(body.parse().unwrap());
            assert!(matches!(found[..], [LoggerInit::Tracing(_)]), "{body}");
        }
    }

    #[test]
    fn other_statements_are_not() {
        for body in [
            "ONCE.call_once(|| env_logger::init());",
            "let logger = env_logger::Builder::new().build();",
            "if legacy { env_logger::init(); }",
            "my_env_logger::init(); init();",
            "let subscriber = tracing_subscriber::fmt().finish();",
            "crate::env_logger::init();",
            "let logger = env_logger::Logger::from_env(x); backend.init();",
            "println!(\"env_logger::init()\");",
        ] {
            assert_eq!(count(body), 0, "{body}");
        }
    }
}
