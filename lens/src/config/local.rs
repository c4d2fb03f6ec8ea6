//! The console side: which logger the application keeps while lens listens in.

use std::fmt;

use log::{LevelFilter, Log};

/// The console side of lens: what happens to log records besides their export.
///
/// Made from a word or a logger by [`IntoLocal`].
pub struct Local(pub(crate) LocalKind);

pub(crate) enum LocalKind {
    /// What `env_logger::init()` would print, on stderr.
    Stderr,
    /// The same on stdout.
    Stdout,
    /// Nothing is printed; lens still takes the logger slot.
    Off,
    /// lens never takes the logger slot and cannot bridge.
    None,
    /// A logger the application handed over, and the most verbose level it wants.
    Logger(LevelFilter, Box<dyn Log>),
    /// A word that is none of the above, reported at start.
    Unknown(String),
}

impl LocalKind {
    /// The kind a word stands for, where a word can stand for one.
    pub(crate) fn from_word(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "stderr" => Some(Self::Stderr),
            "stdout" => Some(Self::Stdout),
            "off" => Some(Self::Off),
            "none" => Some(Self::None),
            _ => None,
        }
    }

    /// What to call it.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Stderr => "stderr",
            Self::Stdout => "stdout",
            Self::Off => "off",
            Self::None => "none",
            Self::Logger(..) => "a logger of the program",
            Self::Unknown(_) => "unknown",
        }
    }
}

impl fmt::Debug for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.word())
    }
}

/// What [`Builder::local`](crate::Builder::local) takes.
///
/// * `"stderr"` or `"stdout"`: what `env_logger::init()` would print in this program;
/// * `"off"`: nothing on the console;
/// * `"none"`: lens leaves the logger slot alone, and cannot bridge;
/// * a [`log::Log`], which gets every record and decides itself;
/// * a pair `(log::LevelFilter, impl log::Log)`: the same, never above that level; right for
///   a logger that relies on `log::set_max_level` to keep records away.
///
/// `Marker` only tells these forms apart; it is always inferred.
pub trait IntoLocal<Marker> {
    /// Makes the console side.
    fn into_local(self) -> Local;
}

/// Tells the forms of [`IntoLocal`] and its like apart.
pub mod marker {
    /// A word.
    #[derive(Debug)]
    pub enum Word {}
    /// A logger.
    #[derive(Debug)]
    pub enum Logger {}
    /// A level and a logger.
    #[derive(Debug)]
    pub enum LevelAndLogger {}
    /// A function.
    #[derive(Debug)]
    pub enum Function {}
    /// A subscriber of `tracing`.
    #[derive(Debug)]
    pub enum Subscriber {}
}

impl IntoLocal<marker::Word> for &str {
    fn into_local(self) -> Local {
        Local(LocalKind::from_word(self).unwrap_or_else(|| LocalKind::Unknown(self.to_owned())))
    }
}

impl<L: Log + 'static> IntoLocal<marker::Logger> for L {
    fn into_local(self) -> Local {
        Local(LocalKind::Logger(LevelFilter::Trace, Box::new(self)))
    }
}

impl<L: Log + 'static> IntoLocal<marker::LevelAndLogger> for (LevelFilter, L) {
    fn into_local(self) -> Local {
        Local(LocalKind::Logger(self.0, Box::new(self.1)))
    }
}
