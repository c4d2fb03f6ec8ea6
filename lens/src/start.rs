//! From a builder to a running lens: settings, console, providers, exit.

use std::panic::catch_unwind;

use crate::bridge::{take_slot, tell_due, unreachable_level};
use crate::config::{Builder, Config, resolve};
use crate::env::Env;
use crate::error::Error;
use crate::handle::Guard;
use crate::pipeline::Tick;
use crate::providers::Providers;
use crate::state::{self, Active, Bridge, Main};
use crate::{diag, os, panics};

impl Builder {
    /// Starts lens, and stops it when the guard is dropped or the process exits.
    ///
    /// Never fails and never waits for the network: what cannot be done is one line on
    /// stderr, and the program runs on. A second start while the first one runs does
    /// nothing.
    ///
    /// # Cost
    ///
    /// One thread while something is exported. When off, the console logger only.
    pub fn start(self) -> Guard {
        let mut this = self;
        let (root, site) = (std::mem::take(&mut this.root), this.package.site);
        #[cfg(feature = "__testkit")]
        let this = match state::scope::start(Box::new(this)) {
            Ok(()) => return Guard::new(state::current(), root, site),
            Err(builder) => *builder,
        };
        Guard::new(this.start_process(), root, site)
    }

    /// Starts lens for the process; `None` when it is off or was on already.
    fn start_process(mut self) -> Option<&'static Active> {
        let env = self.env.take().unwrap_or_else(Env::process);
        let (config, local, notices) = resolve(&mut self, &env);
        if state::current().is_some() {
            diag::say(Error::already_started());
            return None;
        }
        diag::set_silent(config.silent);
        diag::reset();
        notices.iter().for_each(diag::say);
        panics::install_hook();
        if let Err(error) = take_slot(local) {
            diag::say(error);
        }
        if !config.enabled {
            return None;
        }
        if let Some(groups) = &config.groups {
            groups.switch();
        }
        if let Some(notice) = unreachable_level(&config) {
            diag::say(notice);
        }
        let active = state::install(assemble(&config, self.package.module));
        if active.is_none() {
            // Another thread was faster.
            diag::say(Error::already_started());
        }
        state::refresh_level_gate();
        os::on_exit(at_exit);
        active
    }
}

fn assemble(config: &Config, module: &'static str) -> Active {
    let limits = config.filter.has_limits();
    let tick = limits.then(|| -> Tick {
        Box::new(|| {
            let bridge = state::current().and_then(|active| active.bridge.as_ref());
            bridge.into_iter().for_each(tell_due);
        })
    });
    let providers = Providers::build(config, tick);
    let bridge = (providers.logs.clone()).map(|provider| Bridge {
        direct: providers.direct.clone(),
        ..Bridge::new(
            provider,
            config.filter.clone(),
            (config.redact.clone(), config.limits),
        )
    });
    Active::new(
        Some(providers),
        bridge,
        config.shutdown_timeout,
        Main::here(module),
    )
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
