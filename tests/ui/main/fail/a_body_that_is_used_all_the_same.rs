#[lens::main(lgos = true)]
#[tokio::main]
async fn main() -> Result<(), std::io::Error> {
    std::fs::read("x")?;
    let number: u8 = "seven";
    Ok(())
}
