use std::time::Duration;

const SERVICE: &str = "trainer";

struct Quiet;

impl log::Log for Quiet {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        false
    }
    fn log(&self, _: &log::Record<'_>) {}
    fn flush(&self) {}
}

use lens as renamed;

#[renamed::main(
    enabled = true,
    service = SERVICE,
    version = concat!("1", ".2"),
    traces = cfg!(unix),
    logs = true,
    level = "Warning",
    logger = ["crate::training", "data-loader"],
    filter = "warn,hyper=off",
    local = Quiet,
    exporter = "none",
    endpoint = "http://localhost:4318",
    protocol = "grpc",
    headers = "x-tenant=a",
    shutdown_timeout = Duration::from_secs(1),
    crate = renamed,
)]
fn main() {
    assert!(!renamed::handle().is_exporting());
}
