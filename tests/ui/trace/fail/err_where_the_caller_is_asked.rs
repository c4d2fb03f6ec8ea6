#[lens::trace(err = true)]
#[track_caller]
fn step() -> Result<(), String> {
    Ok(())
}

fn main() {
    let _ = step();
}
