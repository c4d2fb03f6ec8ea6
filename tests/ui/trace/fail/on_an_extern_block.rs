#[lens::trace]
unsafe extern "C" {
    safe fn getpid() -> i32;
}

fn main() {
    getpid();
}
