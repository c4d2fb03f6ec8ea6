//! A span around the whole of main.

use lens_tests::rooted;

#[lens::main(logs = true, root_span = "job", groups = "all")]
fn main() -> Result<(), String> {
    rooted::threads()
}
