//! A span around main, where lens's attribute is expanded first.

use lens_tests::rooted;

#[lens::main(logs = true, root_span = "job")]
#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), String> {
    rooted::tasks().await
}
