#[lens::main(local = "none", exporter = "none", shutdown_timeout = 5000)]
fn main() {
    env_logger::init();
}
