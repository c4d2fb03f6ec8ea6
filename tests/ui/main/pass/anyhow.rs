#[lens::main(exporter = "none")]
fn main() -> anyhow::Result<()> {
    let number: u8 = "7".parse()?;
    assert_eq!(number, 7);
    Ok(())
}
