//! The same program without lens.

use lens_tests::loggers;

fn main() {
    let (level, logger) = loggers::chosen();
    log::set_boxed_logger(logger).expect("no other logger is there");
    log::set_max_level(level);
    loggers::speak();
}
