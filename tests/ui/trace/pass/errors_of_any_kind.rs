#![deny(warnings)]

use std::error::Error;
use std::fmt;
use std::sync::{LockResult, Mutex, MutexGuard};

#[derive(Debug)]
struct Borrowed<'a>(&'a str);

impl fmt::Display for Borrowed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl Error for Borrowed<'_> {}

struct Silent;

#[lens::trace]
fn parse(text: &str) -> Result<u8, Borrowed<'_>> {
    text.parse().map_err(|_| Borrowed(text))
}

#[lens::trace]
fn lock(mutex: &Mutex<u8>) -> LockResult<MutexGuard<'_, u8>> {
    mutex.lock()
}

#[lens::trace]
fn retry<T, E: Error>(result: Result<T, E>) -> Result<T, E> {
    result
}

#[lens::trace]
fn generic<T, E>(result: Result<T, E>) -> Result<T, E> {
    result
}

#[lens::trace]
fn boxed<'a>(text: &'a str) -> Result<(), Box<dyn Error + 'a>> {
    Err(Box::new(Borrowed(text)))
}

#[lens::trace]
fn any() -> anyhow::Result<()> {
    anyhow::bail!("no")
}

#[lens::trace]
async fn later(text: &str) -> Result<(), Borrowed<'_>> {
    Err(Borrowed(text))
}

fn main() {
    assert_eq!(parse("x").unwrap_err().0, "x");
    assert!(lock(&Mutex::new(7)).is_ok());
    assert!(retry::<u8, _>(Err(fmt::Error)).is_err());
    assert!(generic::<u8, _>(Err(Silent)).is_err());
    assert!(boxed("x").is_err());
    assert!(any().is_err());
    drop(later("x"));
}
