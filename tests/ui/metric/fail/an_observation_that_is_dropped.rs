#![deny(unused_must_use)]

fn main() {
    lens::gauge!("depth", || 7);
}
