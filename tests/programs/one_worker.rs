//! A runtime with one worker.

use lens_tests::scenario;

#[tokio::main(flavor = "multi_thread", worker_threads = 1)]
#[lens::main(logs = true)]
async fn main() -> Result<(), String> {
    scenario::run_async(&scenario::mode()).await
}
