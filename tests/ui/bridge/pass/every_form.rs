#![deny(warnings, missing_docs)]
//! Scopes of every form.

lens::bridge_module!(level = "info");

/// A module.
#[lens::bridge(level = "WARNING", max_per_second = 1_000, sample = 0.5)]
pub mod a {
    #![allow(dead_code)]
    //! With attributes of its own.

    #[lens::bridge(off)]
    mod b {
        #[lens::bridge]
        mod c {}
    }

    #[lens::bridge(sample = 1, crate = lens)]
    mod d {}

    fn unused() {}
}

fn main() {}
