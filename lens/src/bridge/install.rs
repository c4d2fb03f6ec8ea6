//! Takes the logger slot, for `#[lens::main]` and for programs with a provider of their own.

use log::LevelFilter;
use opentelemetry::logs::LoggerProvider as _;
use opentelemetry_sdk::logs::SdkLoggerProvider;

use super::local::LocalLogger;
use super::logger::TeeLogger;
use crate::admission::Decider;
use crate::config::{
    Config, Filter, IntoLocal, Local, LocalKind, RecordRules, names_crate, parse_level,
    parse_names, resolve_bridge,
};
use crate::diag;
use crate::env::Env;
use crate::error::Error;
use crate::scopes::declared;
use crate::state::{self, Active, Main};

const LEVELS: &str = "off, error, warn, info, debug or trace";
const CONSOLES: &str = "stderr, stdout, off or a logger";
const FLUSH_TIMEOUT: std::time::Duration = std::time::Duration::from_secs(5);

/// Puts lens into the logger slot with `kind` as its console side.
///
/// # Errors
///
/// When another logger is there already; it is left alone.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that takes the slot"
)]
pub(crate) fn take_slot(kind: LocalKind) -> Result<(), Error> {
    if state::has_logger_slot() {
        // A later start keeps the console side of the first.
        return Ok(());
    }
    let Some(local) = LocalLogger::new(kind) else {
        return Ok(());
    };
    let level = local.level();
    log::set_boxed_logger(Box::new(TeeLogger::new(local))).map_err(|_| Error::logger_taken())?;
    state::set_local_level(level);
    state::refresh_level_gate();
    Ok(())
}

impl state::Bridge {
    pub(crate) fn new(provider: SdkLoggerProvider, filter: Filter, rules: RecordRules) -> Self {
        Self {
            // The scope's name is the record's target, given with each record.
            logger: provider.logger(""),
            provider,
            direct: None,
            decider: Decider::new(filter),
            rules,
        }
    }
}

/// Bridges the `log` crate to a logger provider of the application's own.
///
/// The provider, its processors and its shutdown stay the application's. Of the environment
/// `NEMO_LENS_LOGS_FILTER`, `NEMO_LENS_REDACT`, `NEMO_LENS_SPAN_FIELDS` and the limits of
/// attributes count. What scopes
/// hold back is told with a later record of the scope and at a flush.
///
/// ```
/// use opentelemetry_sdk::logs::SdkLoggerProvider;
/// # use lens::opentelemetry_sdk;
///
/// # struct MyLogger;
/// # impl log::Log for MyLogger {
/// #     fn enabled(&self, _: &log::Metadata<'_>) -> bool { true }
/// #     fn log(&self, _: &log::Record<'_>) {}
/// #     fn flush(&self) {}
/// # }
/// let provider = SdkLoggerProvider::builder().build();
/// lens::Bridge::new(&provider)
///     .level("info")
///     .logger("megatron.training")
///     .wrap(MyLogger)
///     .install()?;
/// log::info!("to the provider, and to MyLogger as ever");
/// # Ok::<(), lens::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is bridged until `install` is called"]
pub struct Bridge {
    provider: SdkLoggerProvider,
    level: String,
    logger: String,
    local: Local,
}

impl Bridge {
    /// Creates a bridge to `provider` that takes every logger at `info`.
    pub fn new(provider: &SdkLoggerProvider) -> Self {
        Self {
            provider: provider.clone(),
            level: "info".to_owned(),
            logger: String::new(),
            local: Local(LocalKind::Stderr),
        }
    }

    /// Sets the least severity that is bridged, see [`Builder::level`](crate::Builder::level).
    pub fn level(mut self, level: impl Into<String>) -> Self {
        self.level = level.into();
        self
    }

    /// Bridges only these loggers and their children, see
    /// [`Builder::logger`](crate::Builder::logger).
    pub fn logger(mut self, names: impl Into<String>) -> Self {
        self.logger = names.into();
        self
    }

    /// Keeps a logger, or a word for one, as the console side; see [`IntoLocal`].
    ///
    /// Default: what `env_logger::init()` would install.
    pub fn wrap<Marker>(mut self, local: impl IntoLocal<Marker>) -> Self {
        self.local = local.into_local();
        self
    }

    /// Takes the logger slot of the `log` crate and starts bridging.
    ///
    /// # Errors
    ///
    /// When another logger is in the slot, when lens is running already, or when the level,
    /// a logger or the word for a console is none. Nothing is installed then.
    pub fn install(self) -> Result<(), Error> {
        let level =
            parse_level(&self.level).ok_or_else(|| Error::unknown("level", &self.level, LEVELS))?;
        let names = parse_names(&self.logger, "");
        if let Some(name) = names.iter().find(|name| names_crate(name)) {
            return Err(Error::unknown(
                "logger",
                name,
                "a name that does not begin with crate",
            ));
        }
        match &self.local.0 {
            LocalKind::Unknown(word) => return Err(Error::unknown("console", word, CONSOLES)),
            LocalKind::None => return Err(Error::unknown("console", "none", CONSOLES)),
            _ => {}
        }
        let mut filter = Filter::new(level, &names, "").with_scopes(declared());
        let (rules, notices) = resolve_bridge(&mut filter, &Env::process());
        notices.iter().for_each(diag::say);
        if state::current().is_some() {
            return Err(Error::already_started());
        }
        take_slot(self.local.0)?;
        let bridge = state::Bridge::new(self.provider, filter, rules);
        let active = Active::new(None, Some(bridge), FLUSH_TIMEOUT, Main::here(""));
        state::install(active).ok_or_else(Error::already_started)?;
        state::refresh_level_gate();
        Ok(())
    }
}

/// Says when a `facade` was built without calls that the bridge was asked to take: with none of
/// them below `built`.
pub(crate) fn unreachable_level(
    config: &Config,
    (facade, built): (&str, LevelFilter),
) -> Option<String> {
    let level = config.filter.table().max_level();
    (config.logs.is_some() && level > built).then(|| {
        format!(
            "this program is built without {facade} calls below {built}, so nothing below it can \
             be bridged; see the max_level features of the {facade} crate"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Builder, resolve};

    #[test]
    fn what_a_program_is_built_without_is_told_where_it_was_asked_for() {
        let told = |level: &str, built| {
            let mut builder = Builder::new().level(level);
            let (config, ..) = resolve(&mut builder, &Env::default());
            unreachable_level(&config, ("tracing", built))
        };
        assert_eq!(told("info", LevelFilter::Info), None);
        let told = told("debug", LevelFilter::Info).unwrap();
        assert!(told.contains("without tracing calls below INFO"), "{told}");
    }
}
