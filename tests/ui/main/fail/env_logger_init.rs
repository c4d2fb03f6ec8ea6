#[lens::main(logs = true)]
fn main() {
    env_logger::init();
    let _ = env_logger::Builder::from_default_env().try_init();
}
