//! A span around main, where the runtime's attribute is expanded first.

use lens_tests::rooted;

#[tokio::main(flavor = "current_thread")]
#[lens::main(logs = true, root_span = "job")]
async fn main() -> Result<(), String> {
    rooted::tasks().await
}
