//! A program that hands over the logger it is told to use.

use lens_tests::loggers;

#[lens::main(logs = true, level = "error", local = loggers::chosen())]
fn main() {
    loggers::speak();
}
