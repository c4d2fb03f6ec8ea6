#[lens::trace]
mod elsewhere;

fn main() {}
