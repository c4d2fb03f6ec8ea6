fn main() -> Result<(), std::num::ParseIntError> {
    let _span = lens::span!("a", n = "7".parse::<u8>()?);
    Ok(())
}
