//! The runtime's attribute below lens's, several workers.

use lens_tests::scenario;

#[lens::main(logs = true)]
#[tokio::main(worker_threads = 8)]
async fn main() -> Result<(), String> {
    scenario::run_async(&scenario::mode()).await
}
