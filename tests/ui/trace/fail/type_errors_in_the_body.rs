#[lens::trace]
fn name() -> String {
    "a name"
}

#[lens::trace]
async fn load(early: bool) -> Result<u8, String> {
    if early {
        return Ok("seven");
    }
    Err(7)
}

fn main() {
    name();
    drop(load(true));
}
