#[lens::main]
pub(crate) async fn run() {}

fn main() {
    let _ = run();
}
