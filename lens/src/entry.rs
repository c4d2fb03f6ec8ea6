//! What `#[lens::main]` prints a call to: main between start and delivery.

use crate::bridge::{about_main, release_held_panic};
use crate::config::{Builder, Package};
use crate::handle::Guard;
use crate::panics;
use crate::reentry::quietly;
use crate::span::Outcome;

/// A builder that knows the annotated crate.
pub fn builder(
    name: Option<&'static str>,
    package: Option<&'static str>,
    version: Option<&'static str>,
    module: &'static str,
) -> Builder {
    Builder::new().package(Package {
        name: name.or(package),
        version,
        module,
    })
}

/// Runs `body` between start and delivery; an `Err` is a log record.
pub fn main<R>(
    builder: Builder,
    body: impl FnOnce() -> R,
    outcome: impl FnOnce(&R) -> Outcome,
) -> R {
    let guard: Guard = builder.start();
    let result = body();
    if let Some((active, bridge)) = panics::recording()
        && let Some(Outcome::Failed(failure)) = quietly(|| outcome(&result))
    {
        release_held_panic(active, bridge);
        let record = about_main(&bridge.logger, active.main.module, &failure, None);
        bridge.emit(record);
    }
    drop(guard);
    result
}
