//! Another runtime, which hands its executor to main.

use std::sync::Arc;

use lens_tests::scenario;
use macro_rules_attribute::apply;
use smol_macros::{Executor, main};

#[lens::main(logs = true)]
#[apply(main!)]
async fn main(executor: Arc<Executor<'static>>) -> Result<(), String> {
    // Which thread runs a task is the executor's choice; the scenario is main's.
    let mode = executor.spawn(async { scenario::mode() }).await;
    scenario::run(&mode)
}
