//! A program that links a library with scopes and says nothing of them.

use lens_tests::scenario;

#[lens::main(logs = true, level = "info")]
fn main() {
    match scenario::mode().as_str() {
        "flood" => {
            scoped::lines::flood(100);
            // Silent, and alive until its input ends.
            let _ = std::io::stdin().lines().count();
        }
        "switch" => {
            for directives in ["trace", "off", "loud=very"] {
                let changed = lens::handle().set_filter(directives);
                println!("{directives:?}: {} {}", changed.is_ok(), log::max_level());
            }
        }
        _ => {
            scoped::lines::every_level();
            scoped::chatter::speak();
            log::debug!("of the program");
        }
    }
}
