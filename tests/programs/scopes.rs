//! A program that links a library with scopes and says nothing of them.

#[lens::main(logs = true, level = "info")]
fn main() {
    scoped::lines::every_level();
    scoped::chatter::speak();
    log::debug!("of the program");
}
