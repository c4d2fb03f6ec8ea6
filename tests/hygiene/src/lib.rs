//! Real lints in traced functions: each is expected, so that one that falls silent is a
//! warning, and a warning an error. In what follows no name is shadowed.

#![deny(warnings, clippy::all, clippy::pedantic)]
#![allow(clippy::missing_errors_doc, clippy::must_use_candidate)]

use std::collections::BTreeMap;
use std::rc::Rc;

/// Rustc's own, in a body that is a closure.
#[telemetry::trace(crate = telemetry)]
pub fn in_a_closure(
    #[expect(unused_variables)] number: u8,
    #[expect(unused_mut)] mut text: String,
    #[expect(clippy::ptr_arg)] list: &Vec<u8>,
) -> Result<usize, std::num::ParseIntError> {
    #[expect(unused_variables)]
    let forgotten = 1;
    #[expect(unused_must_use)]
    std::fs::read("x");
    #[expect(clippy::needless_range_loop)]
    for i in 0..list.len() {
        if list[i] == 0 {
            return Ok(text.len());
        }
    }
    #[expect(clippy::needless_return)]
    return text.parse::<usize>();
}

/// The same where the body stays in the function.
#[telemetry::trace(crate = telemetry)]
#[expect(clippy::needless_pass_by_value)]
pub fn in_the_function(
    owned: Vec<u8>,
    #[expect(unused_variables)] number: u8,
    #[expect(unused_mut)] mut text: String,
    #[expect(clippy::ptr_arg)] list: &Vec<u8>,
) -> usize {
    #[expect(unused_variables)]
    let forgotten = 1;
    #[expect(unused_must_use)]
    std::fs::read("x");
    #[expect(clippy::needless_return)]
    return text.len() + list.len() + owned.len();
}

/// The same in a future.
#[telemetry::trace(crate = telemetry)]
pub async fn in_a_future(
    #[expect(unused_variables)] number: u8,
    #[expect(unused_mut)] mut text: String,
) -> Option<usize> {
    #[expect(unused_variables)]
    let forgotten = 1;
    std::future::ready(()).await;
    #[expect(clippy::needless_return)]
    return Some(text.len());
}

/// Code that is never reached is told, in each form.
#[telemetry::trace(crate = telemetry)]
pub fn unreachable(early: bool) -> Result<(), String> {
    if early {
        return Err("early".to_owned());
        #[expect(unreachable_code)]
        std::process::abort();
    }
    Ok(())
}

/// Types that clippy would have an opinion on, were they not in a public signature.
#[telemetry::trace(crate = telemetry)]
pub fn public_types(map: &BTreeMap<String, u8>) -> Result<Box<Vec<u8>>, Rc<String>> {
    map.get("x")
        .map(|x| Box::new(vec![*x]))
        .ok_or_else(|| Rc::new("x".to_owned()))
}

/// The same in a future.
#[telemetry::trace(crate = telemetry)]
pub async fn public_types_later(early: bool) -> Option<Box<Vec<Box<u8>>>> {
    std::future::ready(()).await;
    early.then(|| Box::new(vec![Box::new(1)]))
}

#[telemetry::trace(crate = telemetry)]
#[expect(dead_code)]
fn unused(fails: bool) -> Result<(), String> {
    if fails {
        Err("asked to".to_owned())
    } else {
        Ok(())
    }
}

/// Bodies on one line.
#[rustfmt::skip]
pub mod lines {
    /// In a closure.
    #[telemetry::trace(crate = telemetry)]
    pub fn in_a_closure(list: Vec<u8>) -> Option<u8> { list.into_iter().next() }

    /// In the function.
    #[telemetry::trace(crate = telemetry)]
    pub fn in_the_function(number: u8) -> u8 { number }

    /// In a future.
    #[telemetry::trace(crate = telemetry)]
    pub async fn in_a_future(number: u8) -> u8 { std::future::ready(number).await }
}
