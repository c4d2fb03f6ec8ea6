//! From a builder to a running lens: settings, console, providers, exit.

use std::panic::catch_unwind;

use opentelemetry::Context;
use opentelemetry_sdk::Resource;

use crate::asked::go_over_all;
use crate::bridge::{take_slot, tell_due, unreachable_level};
use crate::carrier::{Carrier, extract};
#[cfg(feature = "tracing")]
use crate::config::Tracing;
use crate::config::{Builder, Config, Explain, Own, resolve};
use crate::env::Env;
use crate::error::Error;
use crate::explain::explain;
use crate::handle::Guard;
use crate::pipeline::Tick;
use crate::process::variable;
use crate::propagation::composite;
use crate::providers::Providers;
use crate::resource::resource;
use crate::state::{self, Active, Bridge, Facts, Main};
#[cfg(feature = "tracing")]
use crate::tracing;
use crate::{diag, epoch, os, panics};

/// What came of a start.
enum Started {
    On(&'static Active),
    Off,
    /// Another one is in effect.
    Already,
}

/// What a program that was told to be strict ends with.
const EXIT_CODE: i32 = 1;

impl Builder {
    /// Starts lens, and stops it when the guard is dropped or the process exits.
    ///
    /// Never fails and never waits for the network: what cannot be done is one line on
    /// stderr, and the program runs on, unless it was asked to be [`strict`](Self::strict). A
    /// second start while the first one runs does nothing.
    ///
    /// With `NEMO_LENS_EXPLAIN=1` it says what is in effect, and waits up to 5 s for the
    /// receivers' answers.
    ///
    /// # Cost
    ///
    /// One thread while something is exported, and one of the SDK's while metrics are collected.
    /// When off, the console logger only.
    pub fn start(self) -> Guard {
        match self.start_or(stop_program) {
            Ok(guard) => guard,
            // Where it returns nevertheless there is nothing to guard.
            Err(_) => Guard::none(),
        }
    }

    /// Starts lens as [`start`](Self::start) does, if all settings are good.
    ///
    /// ```
    /// let builder = lens::Builder::new().level("verbose");
    /// let error = builder.env(lens::Env::default()).try_start().unwrap_err();
    /// assert!(error.to_string().contains("verbose"));
    /// ```
    ///
    /// # Errors
    ///
    /// When a setting, of the code or of the environment, is bad: the error names each of them.
    /// Nothing was started then.
    pub fn try_start(self) -> Result<Guard, Error> {
        let mut this = self;
        this.must_be_good = true;
        this.start_or(|_| {})
    }

    fn start_or(self, refuse: impl FnOnce(&Error)) -> Result<Guard, Error> {
        let mut this = self;
        let (root, site) = (std::mem::take(&mut this.root), this.package.site);
        #[cfg(feature = "__testkit")]
        let this = match state::scope::start(Box::new(this)) {
            Ok(()) => return Ok(Guard::new(state::current(), root, site)),
            Err(builder) => *builder,
        };
        let started = this.start_process().inspect_err(refuse)?;
        Ok(match started {
            Started::On(active) => Guard::new(Some(active), root, site),
            Started::Off => Guard::new(None, root, site),
            Started::Already => Guard::none(),
        })
    }

    /// Starts lens for the process.
    fn start_process(mut self) -> Result<Started, Error> {
        let env = self.env.take().unwrap_or_else(Env::process);
        let (config, local, notices) = resolve(&mut self, &env);
        if state::current().is_some() {
            diag::say(Error::already_started());
            return Ok(Started::Already);
        }
        let is_refused = (config.strict && config.is_on) || self.must_be_good;
        if is_refused && !config.faults.is_empty() {
            return Err(Error::settings(config.faults));
        }
        diag::set_silent(config.silent);
        diag::reset();
        notices.iter().for_each(diag::say);
        let resource = resource(&config, &env);
        state::set_facts(Facts::new(&config, &resource, notices));
        // Whoever is off still passes on what others began.
        state::set_propagator(composite(&config.propagators));
        state::set_inherited(match config.inherits_context {
            true => extract(&Variables(&env)),
            false => Context::new(),
        });
        panics::install_hook();
        #[cfg(feature = "tracing")]
        let has_tracing = self.tracing.as_ref().is_some_and(Tracing::is_on);
        #[cfg(feature = "tracing")]
        let local = tracing::install(self.tracing.take(), local);
        if let Err(error) = take_slot(local) {
            diag::say(error);
        }
        if !config.enabled {
            epoch::end();
            tell(config.explain);
            return Ok(Started::Off);
        }
        if let Some(groups) = &config.groups {
            groups.switch();
        }
        let facades = [
            Some(("log", log::STATIC_MAX_LEVEL)),
            #[cfg(feature = "tracing")]
            has_tracing.then_some(("tracing", tracing::built_with())),
        ];
        let notices = facades.into_iter().flatten();
        for notice in notices.filter_map(|facade| unreachable_level(&config, facade)) {
            diag::say(notice);
        }
        let own = std::mem::take(&mut self.own);
        let active = assemble(&config, &resource, own, self.package.module);
        let active = state::install(active);
        if active.is_none() {
            // Another thread was faster.
            diag::say(Error::already_started());
        }
        state::refresh_level_gate();
        go_over_all();
        os::on_exit(at_exit);
        if config.signals && active.is_some() {
            hear();
        }
        tell(config.explain);
        Ok(active.map_or(Started::Already, Started::On))
    }
}

/// The environment of this process as a carrier of a context.
struct Variables<'a>(&'a Env);

impl Carrier for Variables<'_> {
    fn values_of(&self, name: &str) -> Vec<&str> {
        self.0.get(&variable(name)).into_iter().collect()
    }
}

/// Says what is wrong with the settings, and ends the program.
#[expect(clippy::exit, reason = "it was asked to be strict")]
fn stop_program(error: &Error) {
    error.to_string().lines().for_each(diag::answer);
    diag::answer("the program ends, since its settings are to be strict");
    std::process::exit(EXIT_CODE);
}

/// Says what is in effect, where that was asked.
fn tell(format: Explain) {
    match format {
        Explain::No => {}
        Explain::Text => explain().to_string().lines().for_each(diag::answer),
        Explain::Json => diag::answer(explain().to_json()),
    }
}

fn assemble(config: &Config, resource: &Resource, own: Own, module: &'static str) -> Active {
    let limits = config.filter.has_limits();
    let tick = limits.then(|| -> Tick {
        Box::new(|| {
            let bridge = state::current().and_then(|active| active.bridge.as_ref());
            bridge.into_iter().for_each(tell_due);
        })
    });
    let providers = Providers::build(config, resource, own, tick);
    let bridge = (providers.logs.clone()).map(|provider| Bridge {
        direct: providers.direct.clone(),
        ..Bridge::new(provider, config.filter.clone(), config.records.clone())
    });
    Active::new(
        Some(providers),
        bridge,
        config.shutdown_timeout,
        Main::here(module),
    )
}

/// Hears of signals from here on.
#[cfg(unix)]
fn hear() {
    if let Err(error) = os::watch(on_signal) {
        diag::say(format_args!(
            "signals cannot be heard ({error}); they end the program without a flush"
        ));
    }
}

#[cfg(not(unix))]
fn hear() {
    diag::say("this system has no SIGTERM and SIGINT; nothing is flushed on a signal");
}

/// Delivers what is buffered. The program then ends by the signal where it would have, without
/// lens, or goes on where it handles the signal itself.
#[cfg(unix)]
fn on_signal(signal: i32, ends: bool) {
    let _ = catch_unwind(|| match state::latest() {
        Some(active) if ends => _ = active.stop(active.shutdown_timeout),
        Some(active) => _ = active.flush(active.shutdown_timeout),
        None => {}
    });
    if ends {
        os::end_by(signal);
    }
}

extern "C" fn at_exit() {
    // Nothing may unwind into the C library.
    let _ = catch_unwind(|| {
        // The last start, also when it is stopping already: then this waits for it.
        if let Some(active) = state::latest() {
            active.stop(active.shutdown_timeout);
        }
    });
}
