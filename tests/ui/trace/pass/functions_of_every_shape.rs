#![deny(warnings)]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

#[derive(Clone)]
struct Model {
    weights: Vec<f64>,
}

impl Model {
    #[lens::trace(name = "norm", fields(size = self.weights.len()))]
    fn norm(&self) -> f64 {
        self.weights.iter().map(|w| w * w).sum::<f64>().sqrt()
    }

    #[lens::trace]
    fn first(&mut self) -> Option<&mut f64> {
        self.weights.first_mut()
    }

    #[lens::trace]
    fn into_weights(mut self) -> Vec<f64> {
        self.weights.push(1.0);
        self.weights
    }

    #[lens::trace]
    async fn shared(self: Arc<Self>) -> usize {
        self.weights.len()
    }
}

#[lens::trace(fields(a.b = x, y))]
fn generic<'a, T: Into<u64> + Copy, const N: usize>(x: &'a str, y: u64, (p, q): (T, [T; N])) -> &'a str
where
    T: std::fmt::Debug,
{
    let _: u64 = p.into() + q[0].into();
    x
}

#[lens::trace]
fn opaque(items: &[u8]) -> impl Iterator<Item = u8> + '_ {
    items.iter().map(|item| item + 1)
}

#[lens::trace]
fn boxed(n: u8) -> Pin<Box<dyn Future<Output = u8> + Send>> {
    Box::pin(async move { n })
}

#[lens::trace]
fn question(text: &str) -> Result<u8, std::num::ParseIntError> {
    Ok(text.parse::<u8>()? + 1)
}

#[lens::trace]
async fn reborrows(mut text: &str, mut list: Vec<u8>) -> usize {
    if text.is_empty() {
        text = "local";
    }
    list.push(1);
    tokio::task::yield_now().await;
    list.len() + text.len()
}

#[lens::trace]
unsafe fn dangerous(pointer: *const u8) -> u8 {
    unsafe { *pointer }
}

#[lens::trace]
fn never(stop: bool) -> ! {
    assert!(!stop);
    std::process::exit(0)
}

fn send<F: Future + Send + 'static>(future: F) -> F {
    future
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut model = Model { weights: vec![3.0, 4.0] };
    assert_eq!(model.norm(), 5.0);
    *model.first().unwrap() = 0.0;
    assert_eq!(model.clone().into_weights(), [0.0, 4.0, 1.0]);
    assert_eq!(send(Arc::new(model).shared()).await, 2);
    assert_eq!(generic::<u8, 2>("x", 1, (1, [1, 1])), "x");
    assert_eq!(opaque(&[1]).collect::<Vec<_>>(), [2]);
    assert_eq!(send(boxed(7)).await, 7);
    assert_eq!(question("7"), Ok(8));
    assert!(question("x").is_err());
    assert_eq!(send(reborrows("", Vec::new())).await, 6);
    assert_eq!(unsafe { dangerous(&7) }, 7);
    let task = tokio::spawn(lens::span!("spawned", n = 1).instrument(reborrows("a", vec![])));
    assert_eq!(task.await.unwrap(), 2);
    never(false);
}
