//! Another runtime, whose attribute is a macro by rules and is expanded first.

use lens_tests::scenario;
use macro_rules_attribute::apply;
use smol_macros::main;

#[apply(main!)]
#[lens::main(logs = true)]
async fn main() -> Result<(), String> {
    scenario::run(&scenario::mode())
}
