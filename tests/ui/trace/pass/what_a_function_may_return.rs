#![deny(warnings)]

use std::error::Error;
use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

// Closures whose signature only the return type tells.
#[lens::trace]
fn closure() -> impl Fn(&str) -> &str {
    |text| text
}

#[lens::trace]
fn boxed_closure(n: usize) -> Box<dyn Fn(&str) -> usize> {
    if n == 0 {
        return Box::new(|text| text.len());
    }
    Box::new(move |text| text.len() + n)
}

#[lens::trace]
fn fallible_closure(n: usize) -> Result<impl Fn(&str) -> usize + Clone, String> {
    let n = n.checked_sub(1).ok_or("nothing")?;
    Ok(move |text: &str| text.len() + n)
}

// Coercions, also behind `?` and `return`.
#[lens::trace]
fn dynamic(early: bool) -> Result<Box<dyn Debug>, Box<dyn Error + Send + Sync>> {
    if early {
        return Ok(Box::new(1));
    }
    let number: u8 = "7".parse()?;
    Err(format!("no {number}"))?
}

#[lens::trace]
async fn dynamic_later(early: bool) -> Result<Box<dyn Debug>, Box<dyn Error>> {
    if early {
        return Ok(Box::new(1));
    }
    let number: u8 = "7".parse()?;
    Err(format!("no {number}"))?
}

#[lens::trace]
fn slice() -> &'static [&'static str] {
    &["a", "b"]
}

#[lens::trace]
fn tuple<T: Default>() -> (T, [T; 2]) {
    Default::default()
}

#[lens::trace]
async fn opaque_later(fails: bool) -> Result<impl Debug, std::num::ParseIntError> {
    let text = if fails { "x" } else { "7" };
    let number = text.parse::<u8>()?;
    Ok(number)
}

#[lens::trace]
async fn only_opaque() -> impl Debug + Send {
    7
}

#[lens::trace]
fn nested(n: u8) -> Option<Box<dyn Fn() -> Result<u8, String>>> {
    (n > 0).then(|| Box::new(move || Ok(n)) as _)
}

#[lens::trace]
fn pointer(n: &u8) -> *const u8 {
    n
}

#[lens::trace]
fn function() -> fn(u8) -> u8 {
    |n| n + 1
}

#[lens::trace]
fn local() -> Pin<Box<dyn Future<Output = u8>>> {
    Box::pin(async { 7 })
}

#[lens::trace]
fn early_future(early: bool) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send + Sync>> {
    if early {
        return Box::pin(std::future::ready(Err("early".to_owned())));
    }
    Box::pin(async { Ok(()) })
}

#[lens::trace]
fn shared<'a>(text: &'a str) -> impl Future<Output = &'a str> + Send + Sync + Unpin + use<'a> {
    std::future::ready(text)
}

#[lens::trace]
fn hidden_error(text: &str) -> Result<u8, impl Error + use<>> {
    text.parse::<u8>()
}

#[lens::trace]
fn hidden_in_a_tuple(text: &str) -> Option<(impl Debug, [impl Debug; 2])> {
    Some((text.len(), [1, 2]))
}

#[lens::trace]
async fn hidden_in_a_future() -> (impl Debug, Result<u8, impl Debug>) {
    (1, Err::<u8, _>("x"))
}

macro_rules! shown {
    () => { impl Debug };
}

#[lens::trace]
fn behind_a_macro() -> Option<shown!()> {
    Some(1)
}

#[lens::trace]
fn safe_to_unwind() -> Pin<Box<dyn Future<Output = u8> + Send + std::panic::UnwindSafe>> {
    Box::pin(std::future::ready(7))
}

type Fallible<T> = Result<T, String>;

#[lens::trace]
fn aliased() -> Fallible<()> {
    Err("behind an alias".to_owned())
}

#[lens::trace]
fn unit() {}

#[lens::trace]
fn spelled_out() -> () {}

#[lens::trace]
fn generic<T>(value: T) -> T {
    value
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert_eq!(closure()("a"), "a");
    assert_eq!(boxed_closure(0)("a") + boxed_closure(1)("a"), 3);
    assert_eq!(fallible_closure(2).unwrap().clone()("a"), 2);
    assert!(dynamic(true).is_ok() && dynamic(false).is_err());
    assert!(dynamic_later(true).await.is_ok() && dynamic_later(false).await.is_err());
    assert_eq!(slice().len(), 2);
    assert_eq!(tuple::<u8>(), (0, [0, 0]));
    assert_eq!(format!("{:?}{:?}", opaque_later(false).await.unwrap(), only_opaque().await), "77");
    assert_eq!(nested(1).unwrap()(), Ok(1));
    assert!(!pointer(&1).is_null());
    assert_eq!(function()(1), 2);
    assert_eq!(local().await, 7);
    assert!(early_future(true).await.is_err() && early_future(false).await.is_ok());
    assert_eq!(shared("a").await, "a");
    assert!(hidden_error("x").is_err() && hidden_in_a_tuple("x").is_some());
    assert!(hidden_in_a_future().await.1.is_err() && behind_a_macro().is_some());
    assert_eq!(safe_to_unwind().await, 7);
    assert!(aliased().is_err());
    unit();
    spelled_out();
    assert_eq!(generic(Ok::<u8, u8>(1)), Ok(1));
}
