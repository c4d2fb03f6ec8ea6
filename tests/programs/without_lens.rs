//! The program that lens must not change: env_logger and nothing else.

use lens_tests::scenario;

fn main() -> Result<(), String> {
    env_logger::init();
    scenario::run(&scenario::mode())
}
