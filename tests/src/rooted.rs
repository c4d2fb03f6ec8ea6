//! What programs with a root span do.

/// Logs in main, in a plain thread and in one that keeps the span; then fails.
pub fn threads() -> Result<(), String> {
    log::info!("in main");
    let plain = std::thread::spawn(|| log::info!("plain")).join();
    let kept = lens::thread::spawn(|| log::info!("kept")).join();
    plain
        .and(kept)
        .map_err(|_| "a thread panicked".to_owned())?;
    Err("the disk is full".to_owned())
}

/// The same with tokio's tasks.
pub async fn tasks() -> Result<(), String> {
    log::info!("in main");
    let plain = tokio::spawn(async { log::info!("plain") }).await;
    let kept = lens::spawn(async { log::info!("kept") }).await;
    plain.and(kept).map_err(|error| error.to_string())?;
    Err("the disk is full".to_owned())
}
