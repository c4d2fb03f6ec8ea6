//! The runtime's attribute above lens's, several workers.

use lens_tests::scenario;

#[tokio::main]
#[lens::main(logs = true)]
async fn main() -> Result<(), String> {
    scenario::run_async(&scenario::mode()).await
}
