use tracing_subscriber::prelude::*;

#[lens::main(logs = true, tracing = true)]
fn main() {
    tracing_subscriber::fmt::init();
    tracing_subscriber::registry().with(lens::layer()).init();
}
