//! A program in which another logger was installed before lens starts.

use lens_tests::scenario;

fn main() -> Result<(), String> {
    env_logger::init();
    let before = log::max_level();
    let _lens = lens::Builder::new().logs(true).level("trace").start();
    assert_eq!(
        before,
        log::max_level(),
        "another logger's gate is left alone"
    );
    scenario::run(&scenario::mode())
}
