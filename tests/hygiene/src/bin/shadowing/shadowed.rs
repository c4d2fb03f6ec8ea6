//! The macros among names that are not what they seem.

use ::core::clone::Clone;
use ::core::convert::From;
use ::core::future::Future;
use ::core::iter::Iterator;
use ::core::marker::Send;
use ::core::option::Option as Maybe;
use ::core::pin::Pin as Pinned;
use ::core::result::Result as Outcome;
use ::std::boxed::Box as Boxed;
use ::std::string::{String as Text, ToString};
use ::std::vec::Vec as List;

::telemetry::bridge_module!(level = "info", sample = 0.5);

/// A scope of its own.
#[::telemetry::bridge(crate = ::telemetry, off, max_per_second = 7)]
mod scoped {}

/// Not the crate.
mod std {}
/// Not the crate.
mod core {}
/// Not the crate.
mod alloc {}
/// Not the crate.
mod lens {}
/// Not the crate.
mod log {}
/// Not the crate.
mod inventory {}

/// Shadows.
#[derive(Debug)]
struct Option;
/// Shadows.
#[derive(Debug)]
struct Result;
/// Shadows.
#[derive(Debug)]
struct Some;
/// Shadows.
#[derive(Debug)]
struct None;
/// Shadows.
#[derive(Debug)]
struct Ok;
/// Shadows.
#[derive(Debug)]
struct Err;
/// Shadows.
#[derive(Debug)]
struct Box;
/// Shadows.
#[derive(Debug)]
struct Pin;
/// Shadows.
#[derive(Debug)]
struct String;
/// Shadows.
#[derive(Debug)]
struct Vec;
/// Shadows.
#[derive(Debug)]
struct Call;
/// Shadows.
#[derive(Debug)]
struct Site;
/// Shadows.
#[derive(Debug)]
struct Registered;
/// Shadows.
#[allow(non_camel_case_types, reason = "that is its point")]
#[derive(Debug)]
struct str;
/// Shadows.
static SITE: u8 = 1;
/// Shadows.
const fn here() -> u8 {
    2
}

macro_rules! line {
    () => {
        "not a number"
    };
}
macro_rules! file {
    () => {
        7_u8
    };
}
macro_rules! option_env {
    ($name:literal) => {
        $name
    };
}

/// Uses everything that would be unused.
fn names() -> List<Text> {
    ::std::vec![
        ::std::format!(
            "{:?}",
            (
                Option, Result, Some, None, Ok, Err, Box, Pin, String, Vec, Call, str
            )
        ),
        ::std::format!("{:?}", (Site, Registered, SITE, here())),
        ::std::format!("{}{}{}", line!(), file!(), option_env!("x")),
    ]
}

/// A model.
#[derive(Clone, Debug)]
struct Model {
    weights: List<u8>,
}

#[::telemetry::trace(crate = ::telemetry, group = "step", kind = "client", skip(skipped))]
impl Model {
    fn take(&mut self, mut more: List<u8>, (left, right): (u8, u8)) -> Outcome<u8, Text> {
        use ::core::option::Option::{None as Nothing, Some as Just};
        const LIMIT: usize = 8;
        more.push(left ^ right);
        self.weights.append(&mut more);
        match self.weights.last() {
            Just(last) if self.weights.len() < LIMIT => Outcome::Ok(*last),
            Just(_) | Nothing => Outcome::Err("too many".to_string()),
        }
    }

    fn first(&self) -> Maybe<&u8> {
        let first = self.weights.first()?;
        Maybe::Some(first)
    }

    fn unit(&self) {
        use ::core::ops::Not;
        if self.skipped().not() {
            ::log::warn!("empty");
        }
    }

    const fn skipped(&self) -> bool {
        !self.weights.is_empty()
    }

    fn boxed<'a>(&'a self) -> Pinned<Boxed<dyn Future<Output = Outcome<u8, Text>> + Send + 'a>> {
        Boxed::pin(async { self.first().copied().ok_or_else(|| "empty".to_string()) })
    }

    fn lazy(&self) -> impl Future<Output = Outcome<u8, Text>> + Send {
        let first = self.first().copied();
        async move {
            ::tokio::task::yield_now().await;
            first.ok_or_else(|| "empty".to_string())
        }
    }

    fn each(&self) -> impl Iterator<Item = u8> {
        self.weights.iter().map(|weight| weight ^ 1)
    }

    async fn nothing(&self) {
        ::tokio::task::yield_now().await;
    }
}

#[::telemetry::trace(crate = ::telemetry, name = "fallible", err = false, fields(value:?))]
fn fallible<T: Clone + ::core::fmt::Debug>(value: &T, fails: bool) -> Outcome<T, Text> {
    if fails {
        return Outcome::Err(Text::from("asked to"));
    }
    Outcome::Ok(value.clone())
}

/// Runs everything.
pub fn run() -> ::std::process::ExitCode {
    let Outcome::Ok(runtime) = ::tokio::runtime::Builder::new_current_thread().build() else {
        return ::std::process::ExitCode::FAILURE;
    };
    let guard = ::telemetry::span!(
        "everything",
        group = "job",
        kind = "server",
        names = names().len()
    );
    ::telemetry::record!(shadows = SITE, here:? = here());
    let mut model = Model {
        weights: List::new(),
    };
    model.unit();
    let taken = model.take(::std::vec![1], (2, 3)).is_ok();
    let told = fallible(&model.weights, false).is_ok() && fallible(&1_u8, true).is_err();
    let loaded = runtime.block_on(::telemetry::span!("async").instrument(async {
        model.nothing().await;
        crate::boxing::load(&model.weights).await
            && model.boxed().await.is_ok()
            && model.lazy().await.is_ok()
    }));
    drop_guard(guard);
    if taken && told && loaded && model.each().count() == 2 {
        ::std::process::ExitCode::SUCCESS
    } else {
        ::std::process::ExitCode::FAILURE
    }
}

/// Ends the span.
fn drop_guard(guard: ::telemetry::SpanGuard) {
    ::core::mem::drop(guard);
}
