use tokio as runtime;

/// Documented.
#[lens::main(exporter = "none")]
#[allow(unused)]
#[runtime::main(worker_threads = 1)]
async fn main() -> std::process::ExitCode {
    tokio::task::yield_now().await;
    std::process::ExitCode::SUCCESS
}
