//! Span groups, switched while the program runs.

use crate::error::Error;
use crate::groups::{Groups, unknown_groups};
#[cfg(feature = "__testkit")]
use crate::state;

/// Turns on the span groups named here, and every other one off.
///
/// `groups` is as in the argument `groups` of [`main`](crate::main): group names and the
/// presets `default`, `per_step`, `all` and `none`, with commas between them. Spans that are
/// open stay so; a span without a group is always on.
///
/// ```
/// lens::set_groups("default,step")?;
/// assert!(lens::set_groups("stpe").is_err());
/// # Ok::<(), lens::Error>(())
/// ```
///
/// # Errors
///
/// When a name is in no preset and at no span of the program; nothing changes then.
pub fn set_groups(groups: &str) -> Result<(), Error> {
    let (groups, unknown) = Groups::parse(groups);
    if !unknown.is_empty() {
        return Err(Error::unknown_groups(unknown_groups(&unknown)));
    }
    #[cfg(feature = "__testkit")]
    let Some(groups) = state::scope::set_groups(groups) else {
        return Ok(());
    };
    groups.switch();
    Ok(())
}
