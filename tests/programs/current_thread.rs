//! A runtime with one thread, which is main's.

use lens_tests::scenario;

#[lens::main(logs = true)]
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), String> {
    scenario::run_async(&scenario::mode()).await
}
