//! Started by hand, inside a runtime.

use lens_tests::scenario;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), String> {
    let _lens = lens::Builder::new().logs(true).service("by hand").start();
    scenario::run_async(&scenario::mode()).await
}
