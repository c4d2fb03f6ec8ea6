// https://github.com/tokio-rs/tracing/issues/2717 (MAC-06)

#![deny(warnings)]

use std::pin::Pin;
use std::sync::Arc;

#[derive(Clone)]
struct Foo {
    z: u8,
    w: u8,
}

#[lens::trace]
fn first(list: &mut [u8]) -> &mut u8 {
    &mut list[0]
}

#[lens::trace]
async fn reassigned_later(mut text: &str) -> usize {
    let local = String::from("local");
    if text.is_empty() {
        text = &local;
    }
    tokio::task::yield_now().await;
    text.len()
}

#[lens::trace]
fn patterns(
    (x, mut y): (u8, u8),
    Foo { z, mut w }: Foo,
    _: u8,
    [p, ref q]: [u8; 2],
    &r: &u8,
    (ref mut s, t @ _): (Vec<u8>, u8),
) -> u8 {
    y += 1;
    w += 1;
    s.push(t);
    x + y + z + w + p + *q + r + s[0]
}

impl Foo {
    #[lens::trace]
    fn by_value(mut self) -> u8 {
        self.z += 1;
        self.z
    }

    #[lens::trace]
    fn shared(self: Arc<Self>) -> u8 {
        self.w
    }

    #[lens::trace]
    fn pinned(mut self: Pin<&mut Self>) -> u8 {
        self.z = 9;
        self.z
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    *first(&mut [1]) = 2;
    assert_eq!(reassigned_later("").await, 5);
    let foo = Foo { z: 1, w: 1 };
    assert_eq!(patterns((1, 1), foo.clone(), 0, [1, 1], &1, (vec![], 1)), 10);
    assert_eq!(foo.clone().by_value(), 2);
    assert_eq!(Arc::new(foo.clone()).shared(), 1);
    assert_eq!(Pin::new(&mut foo.clone()).pinned(), 9);
}
