//! A program whose own logger panics.

use lens_tests::ending;

#[lens::main(logs = true, local = (log::LevelFilter::Info, ending::Panics))]
fn main() {
    log::info!("printed by nobody");
}
