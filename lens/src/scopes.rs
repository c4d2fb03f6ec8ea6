//! The scopes that modules declare for their log records, registered at link time.
//!
//! What they say only; `config/filter.rs` decides what it means beside everything else.

/// How a module wants its log records bridged.
#[derive(Debug)]
pub struct Scope {
    pub(crate) settings: Settings,
}

/// What a scope says.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "sdk"), expect(dead_code, reason = "read by the bridge"))]
pub(crate) struct Settings {
    /// The module's path.
    pub(crate) module: &'static str,
    /// The least severity; `None` says that the module is bridged like everything else.
    pub(crate) level: Option<Level>,
    pub(crate) max_per_second: Option<u32>,
    /// The part of the records that leaves.
    pub(crate) sample: Option<f64>,
}

/// The least severity that is bridged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the levels of the `log` crate")]
pub enum Level {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl Scope {
    /// The scope of the module at `path`.
    #[must_use]
    pub const fn new(path: &'static str) -> Self {
        Self {
            settings: Settings {
                module: path,
                level: None,
                max_per_second: None,
                sample: None,
            },
        }
    }

    /// `level = "debug"`, or `off`.
    #[must_use]
    pub const fn level(mut self, level: Level) -> Self {
        self.settings.level = Some(level);
        self
    }

    /// `max_per_second = 100`.
    #[must_use]
    pub const fn max_per_second(mut self, max: u32) -> Self {
        self.settings.max_per_second = Some(max);
        self
    }

    /// `sample = 0.01`.
    #[must_use]
    pub const fn sample(mut self, part: f64) -> Self {
        self.settings.sample = Some(part);
        self
    }
}

/// A scope of this program.
#[derive(Debug)]
pub struct RegisteredScope(pub &'static Scope);

inventory::collect!(RegisteredScope);

/// What every module of the program says.
#[cfg(feature = "sdk")]
pub(crate) fn declared() -> Vec<Settings> {
    let scopes = inventory::iter::<RegisteredScope>.into_iter();
    scopes
        .map(|RegisteredScope(scope)| scope.settings)
        .collect()
}
