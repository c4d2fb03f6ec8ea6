//! Four modules say how their own log records are bridged.
//!
//! `cargo run --example scopes` shows what leaves; `NEMO_LENS_LOGS_FILTER=scopes::chatter=info`
//! asks for the module that is off.

#[lens::bridge(level = "debug")]
mod optimizer {
    pub fn step(i: u64) {
        log::debug!("updated the weights, step {i}");
    }
}

#[lens::bridge(off)]
mod chatter {
    pub fn speak() {
        log::warn!("of no interest to anybody");
    }
}

#[lens::bridge(max_per_second = 2)]
mod loader {
    pub fn read(row: u64) {
        log::info!("read row {row}");
        if row == 40 {
            log::error!("row {row} is broken");
        }
    }
}

#[lens::bridge(sample = 0.25)]
mod kernel {
    pub fn launch(i: u64) {
        log::info!("launched kernel {i}");
    }
}

#[lens::main(level = "info", exporter = "pretty", root_span = "job", local = "off")]
fn main() {
    log::info!("starting");
    log::debug!("a detail of the program, below its level");
    optimizer::step(1);
    chatter::speak();
    (0..50).for_each(loader::read);
    (0..8).for_each(kernel::launch);
}
