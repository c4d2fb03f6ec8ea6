#[lens::main(exporter = "none")]
fn main() -> Result<(), String> {
    let _count: u32 = "seven";
    Err(7)
}
