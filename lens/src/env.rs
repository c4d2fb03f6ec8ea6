//! The environment as a value, read once.
//!
//! In: the process environment, or pairs from a test. Out: trimmed values by name.
//! Nothing else in lens reads a variable, so a program's settings cannot change under it.
//! (Crates it uses read their own: env_logger `RUST_LOG`, the SDK its sampler and limits.)

use std::collections::HashMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;

pub(crate) const ARCH: &str = std::env::consts::ARCH;
pub(crate) const OS: &str = std::env::consts::OS;

/// The file this program was started from.
pub(crate) fn this_program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

/// A snapshot of environment variables.
///
/// [`Builder::env`](crate::Builder::env) takes one in place of the process environment.
///
/// ```
/// let env = lens::Env::from_iter([("NEMO_LENS_LOGS_LEVEL", "debug")]);
/// assert_eq!(env.get("NEMO_LENS_LOGS_LEVEL"), Some("debug"));
/// ```
#[derive(Clone, Default)]
pub struct Env {
    vars: HashMap<String, String>,
    unreadable: Vec<String>,
}

impl Env {
    /// Takes a snapshot of the process environment.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "the one place that reads it")]
    pub fn process() -> Self {
        Self::of_system(std::env::vars_os())
    }

    /// Takes what a system hands to its processes, which need not be Unicode.
    pub(crate) fn of_system(vars: impl Iterator<Item = (OsString, OsString)>) -> Self {
        let mut env = Self::default();
        for (name, value) in vars {
            let Ok(name) = name.into_string() else {
                continue;
            };
            match value.into_string() {
                Ok(value) => _ = env.vars.insert(name, value),
                Err(_) => env.unreadable.push(name),
            }
        }
        env
    }

    /// Returns the value of `name`, trimmed; an empty value is as good as none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let value = self.vars.get(name)?.trim_ascii();
        (!value.is_empty()).then_some(value)
    }

    /// The value of `name` as it is, which may be empty.
    pub(crate) fn raw(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str)
    }

    /// The names of what is set, in their order; empty is not set.
    pub(crate) fn names(&self) -> Vec<&str> {
        let names = self.vars.keys().map(String::as_str);
        let mut names: Vec<_> = names.filter(|name| self.get(name).is_some()).collect();
        names.sort_unstable();
        names
    }

    #[cfg(test)]
    pub(crate) fn set_unreadable(&mut self, name: &str) {
        self.unreadable.push(name.to_owned());
    }

    /// Whether `name` is set to something that is not Unicode.
    pub(crate) fn is_unreadable(&self, name: &str) -> bool {
        self.unreadable.iter().any(|unreadable| unreadable == name)
    }
}

impl<K: Into<String>, V: Into<String>> FromIterator<(K, V)> for Env {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        Self {
            vars: pairs
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
            unreadable: Vec::new(),
        }
    }
}

/// Shows the names only: values may be secrets.
impl fmt::Debug for Env {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<_> = self.vars.keys().collect();
        names.sort_unstable();
        f.debug_set().entries(names).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_is_unset_and_spaces_are_trimmed() {
        let env = Env::from_iter([("A", "  "), ("B", " x "), ("C", "")]);
        assert_eq!((env.get("A"), env.get("C")), (None, None));
        assert_eq!(env.get("B"), Some("x"));
    }

    #[test]
    fn debug_shows_no_value() {
        let env = Env::from_iter([("TOKEN", "SECRETCANARY")]);
        assert!(!format!("{env:?}").contains("SECRETCANARY"));
    }
}
