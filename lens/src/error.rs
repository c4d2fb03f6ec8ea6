//! What can go wrong where a caller can still do something about it.
//!
//! Start-up never returns one of these: a program runs with or without its telemetry, and
//! what lens could not do is one line on stderr instead.

use std::fmt;

/// Why a call could not do what was asked; it did nothing then.
#[derive(Debug)]
pub struct Error(Kind);

#[derive(Debug)]
enum Kind {
    #[cfg(feature = "sdk")]
    LoggerTaken,
    #[cfg(feature = "sdk")]
    AlreadyStarted,
    /// What is wrong with each bad setting.
    #[cfg(feature = "sdk")]
    Settings(Vec<String>),
    /// Span groups, with what there is to say of them.
    UnknownGroups(String),
    #[cfg(feature = "sdk")]
    Unknown {
        what: &'static str,
        given: String,
        expected: &'static str,
    },
}

impl Error {
    pub(crate) fn unknown_groups(sentence: String) -> Self {
        Self(Kind::UnknownGroups(sentence))
    }

    #[cfg(feature = "sdk")]
    pub(crate) fn settings(faults: Vec<String>) -> Self {
        Self(Kind::Settings(faults))
    }

    #[cfg(feature = "sdk")]
    pub(crate) fn logger_taken() -> Self {
        Self(Kind::LoggerTaken)
    }

    #[cfg(feature = "sdk")]
    pub(crate) fn already_started() -> Self {
        Self(Kind::AlreadyStarted)
    }

    #[cfg(feature = "sdk")]
    pub(crate) fn unknown(what: &'static str, given: &str, expected: &'static str) -> Self {
        Self(Kind::Unknown {
            what,
            given: given.to_owned(),
            expected,
        })
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            #[cfg(feature = "sdk")]
            Kind::LoggerTaken => f.write_str(
                "another logger was installed before lens, so log records are not bridged; \
                 hand that logger to lens (`local = my_logger()`) instead of installing it",
            ),
            #[cfg(feature = "sdk")]
            Kind::AlreadyStarted => f.write_str(
                "lens is already running in this process; this start is ignored, the first \
                 one stays in effect",
            ),
            #[cfg(feature = "sdk")]
            Kind::Settings(faults) => f.write_str(&faults.join("\n")),
            Kind::UnknownGroups(sentence) => f.write_str(sentence),
            #[cfg(feature = "sdk")]
            Kind::Unknown {
                what,
                given,
                expected,
            } => write!(f, "invalid {what} {given:?}, expected {expected}"),
        }
    }
}

impl std::error::Error for Error {}
