#[lens::trace(nme = "a", knd = "server", fields(missing))]
fn step(i: u64) -> u64 {
    i.unknown_method()
}

fn main() {
    let _: u64 = step(1);
}
