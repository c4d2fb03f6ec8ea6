#[lens::bridge]
mod elsewhere;

fn main() {}
