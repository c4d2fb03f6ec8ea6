#[lens::trace]
const SIZE: usize = 7;

#[lens::trace]
use std::fs;

#[lens::trace]
macro_rules! step {
    () => {};
}

fn main() {
    step!();
    let _ = (SIZE, fs::read("x"));
}
