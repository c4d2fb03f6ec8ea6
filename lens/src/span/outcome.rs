//! What a function's result says of its success, whatever its type.
//!
//! A macro sees tokens, not types. So it prints one method call on `&&&&&&Probe(&result)`: the
//! compiler takes the first trait that fits, and goes on with one `&` less where none does.
//! They are in that order, from most to least told.

use std::error::Error;
use std::fmt::{Debug, Display};

use crate::failure::Failure;

/// What a result says.
#[derive(Debug)]
pub enum Outcome {
    /// Not an `Err`.
    Fine,
    /// An `Err`, in text.
    Failed(Failure),
}

/// A result that is asked for its [`Outcome`].
#[derive(Debug)]
pub struct Probe<'a, R>(pub &'a R);

/// An `Err` that is an [`Error`].
pub trait ViaError {
    /// Returns what the result says.
    fn __lens_outcome(&self) -> Outcome;
}

impl<T, E: Error> ViaError for &&&&&Probe<'_, Result<T, E>> {
    fn __lens_outcome(&self) -> Outcome {
        failed(self.0, |error| Failure {
            kind: Some(std::any::type_name::<E>()),
            ..Failure::new(error)
        })
    }
}

/// An `Err` that holds an error other threads may have: `anyhow::Error`, a boxed error.
pub trait ViaSendError {
    /// Returns what the result says.
    fn __lens_outcome(&self) -> Outcome;
}

impl<'e, T, E: AsRef<dyn Error + Send + Sync + 'e>> ViaSendError for &&&&Probe<'_, Result<T, E>> {
    fn __lens_outcome(&self) -> Outcome {
        failed(self.0, |error| Failure::new(error.as_ref()))
    }
}

/// An `Err` that holds an error.
pub trait ViaDynError {
    /// Returns what the result says.
    fn __lens_outcome(&self) -> Outcome;
}

impl<'e, T, E: AsRef<dyn Error + 'e>> ViaDynError for &&&Probe<'_, Result<T, E>> {
    fn __lens_outcome(&self) -> Outcome {
        failed(self.0, |error| Failure::new(error.as_ref()))
    }
}

/// An `Err` that can be displayed.
pub trait ViaDisplay {
    /// Returns what the result says.
    fn __lens_outcome(&self) -> Outcome;
}

impl<T, E: Display> ViaDisplay for &&Probe<'_, Result<T, E>> {
    fn __lens_outcome(&self) -> Outcome {
        failed(self.0, |error| Failure::said(format_args!("{error}")))
    }
}

/// An `Err` that is only for programmers.
pub trait ViaDebug {
    /// Returns what the result says.
    fn __lens_outcome(&self) -> Outcome;
}

impl<T, E: Debug> ViaDebug for &Probe<'_, Result<T, E>> {
    fn __lens_outcome(&self) -> Outcome {
        failed(self.0, |error| Failure::said(format_args!("{error:?}")))
    }
}

/// Anything else.
pub trait ViaValue {
    /// Returns what the result says.
    fn __lens_outcome(&self) -> Outcome;
}

impl<R> ViaValue for Probe<'_, R> {
    fn __lens_outcome(&self) -> Outcome {
        Outcome::Fine
    }
}

/// What a result says that is no `Result`.
pub fn fine<R>(_: &R) -> Outcome {
    Outcome::Fine
}

/// A value of the type that an `async` block is to return, for code that never runs.
pub fn unreachable<R>() -> R {
    loop {
        std::thread::park();
    }
}

fn failed<T, E>(result: &Result<T, E>, failure: impl FnOnce(&E) -> Failure) -> Outcome {
    match result {
        Ok(_) => Outcome::Fine,
        Err(error) => Outcome::Failed(failure(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! message {
        ($result:expr) => {
            match (&&&&&&Probe(&$result)).__lens_outcome() {
                Outcome::Fine => None,
                Outcome::Failed(failure) => Some(failure.message),
            }
        };
    }

    #[derive(Debug)]
    struct OnlyDebug;
    struct Nothing;

    #[test]
    fn an_err_of_any_kind_is_told_as_well_as_it_can_be() {
        let io = || std::io::Error::other("disk full");
        assert_eq!(message!(Err::<(), _>(io())).as_deref(), Some("disk full"));
        let boxed: Result<(), Box<dyn Error>> = Err(Box::new(io()));
        assert_eq!(message!(boxed).as_deref(), Some("disk full"));
        let sent: Result<(), Box<dyn Error + Send + Sync>> = Err(Box::new(io()));
        assert_eq!(message!(sent).as_deref(), Some("disk full"));
        let any: anyhow::Result<()> = Err(io().into());
        assert_eq!(message!(any).as_deref(), Some("disk full"));
        assert_eq!(message!(Err::<(), _>("text")).as_deref(), Some("text"));
        assert_eq!(
            message!(Err::<(), _>(OnlyDebug)).as_deref(),
            Some("OnlyDebug")
        );
    }

    #[test]
    fn what_is_no_err_is_fine() {
        assert_eq!(message!(Ok::<_, OnlyDebug>(())), None);
        assert_eq!(message!(()), None);
        assert_eq!(message!(Err::<(), _>(Nothing)), None);
        assert_eq!(message!(std::process::ExitCode::FAILURE), None);
    }

    #[test]
    fn an_error_that_holds_another_tells_itself() {
        #[derive(Debug)]
        struct Both(std::io::Error);
        impl Display for Both {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the outer one")
            }
        }
        impl Error for Both {}
        impl AsRef<dyn Error + Send + Sync> for Both {
            fn as_ref(&self) -> &(dyn Error + Send + Sync + 'static) {
                &self.0
            }
        }
        let both = Both(std::io::Error::other("the inner one"));
        assert_eq!(
            message!(Err::<(), _>(both)).as_deref(),
            Some("the outer one")
        );
    }

    #[test]
    fn the_causes_of_an_error_are_kept() {
        let error = anyhow::anyhow!("disk full").context("saving");
        let Outcome::Failed(failure) = (&&&&&Probe(&Err::<(), _>(error))).__lens_outcome() else {
            panic!("an Err is a failure");
        };
        assert_eq!(failure.message, "saving");
        assert_eq!(failure.trace.as_deref(), Some("Caused by: disk full"));
    }
}
