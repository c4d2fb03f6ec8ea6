//! The shop of the README and its test, word for word.

#![expect(unreachable_pub, reason = "a module as a library has it")]

// README

mod shop {
    use std::fmt;

    #[derive(Debug)]
    pub struct Declined;

    impl fmt::Display for Declined {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("declined")
        }
    }

    impl std::error::Error for Declined {}

    #[lens::trace(name = "checkout", fields(items))]
    pub fn checkout(items: usize) -> Result<(), Declined> {
        log::info!(target: "shop", items; "cart loaded");
        charge(8)
    }

    #[lens::trace(name = "charge")]
    fn charge(order: u64) -> Result<(), Declined> {
        log::info!(target: "shop::pay", "order.id" = order; "charging");
        log::warn!(target: "shop::pay", "order.id" = order; "card declined");
        Err(Declined)
    }
}

use lens_testkit::{Capture, Level, assert_logs, assert_trace};

#[lens_testkit::test]
fn declined_card_is_logged_inside_the_charge_span(cap: Capture) {
    let _ = shop::checkout(3);

    let charge = cap.spans().name("charge").one();
    charge.has_error("declined");
    cap.logs()
        .level(Level::Warn)
        .body("card declined")
        .one()
        .in_span(&charge)
        .has_attr("order.id", 8);

    assert_trace!(cap, { checkout { charge } });
    assert_logs!(cap, [INFO "cart loaded" { items: 3 }, INFO "charging", WARN "card declined"]);
    assert_eq!(
        cap.tree().to_string(),
        r#"trace 1
└─ checkout error "declined"  items=3
   ├─ INFO shop "cart loaded" items=3
   └─ charge error "declined"
      ├─ INFO shop::pay "charging" order.id=8
      └─ WARN shop::pay "card declined" order.id=8"#
    );
}

// README ends

#[test]
fn the_readme_shows_this_file() {
    let shown = include_str!("shop.rs").split("// README\n\n").nth(1);
    let shown = shown.and_then(|rest| rest.split("\n// README ends").next());
    let readme = include_str!("../README.md");
    assert!(readme.contains(shown.expect("the part between the marks")));
}
