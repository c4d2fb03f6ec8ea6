use std::process::Termination;

#[lens::main(exporter = "none")]
fn main() -> impl Termination {
    Ok::<(), std::fmt::Error>(())
}
