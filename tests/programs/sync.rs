//! A program without a runtime.

use lens_tests::scenario;

#[lens::main(logs = true)]
fn main() -> Result<(), String> {
    scenario::run(&scenario::mode())
}
