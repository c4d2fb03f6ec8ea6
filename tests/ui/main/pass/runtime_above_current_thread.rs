#[tokio::main(flavor = "current_thread")]
#[allow(clippy::unused_async)]
#[lens::main(exporter = "none")]
async fn main() -> Result<(), std::num::ParseIntError> {
    let number: u8 = tokio::spawn(async { "7".parse() }).await.unwrap()?;
    assert_eq!(number, 7);
    Ok(())
}
