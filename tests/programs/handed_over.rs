//! A program that hands its own logger to lens.

use lens_tests::scenario;

struct Prints;

impl log::Log for Prints {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        println!("{} {}", record.level(), record.args());
    }

    fn flush(&self) {
        println!("flushed");
    }
}

#[lens::main(logs = true, level = "error", local = (log::LevelFilter::Warn, Prints))]
fn main() -> Result<(), String> {
    scenario::run(&scenario::mode())
}
