//! What the macros print is read by the rules of the crate they stand in: closures capture
//! whole variables here, and a returned `impl Trait` no lifetime it does not name.

#![deny(warnings, rust_2018_idioms)]

use std::future::Future;
use std::pin::Pin;

/// A model.
#[derive(Debug, Default)]
pub struct Model {
    weights: Vec<u8>,
    name: String,
}

#[lens::trace(group = "step")]
impl Model {
    /// Reborrows.
    pub fn first(&mut self) -> Option<&mut u8> {
        self.weights.first_mut()
    }

    /// Reborrows, and may fail.
    pub fn last<'a>(&'a mut self, names: &mut Vec<&'a str>) -> Result<&'a mut u8, String> {
        names.push(&self.name);
        let error = || "empty".to_owned();
        self.weights.last_mut().ok_or_else(error)
    }

    /// Returns a future that borrows.
    pub fn load<'a>(&'a self, name: &'a str) -> impl Future<Output = Result<usize, String>> + 'a {
        async move {
            name.parse::<usize>()
                .map(|n| n + self.weights.len())
                .map_err(|e| e.to_string())
        }
    }

    /// Returns a future that borrows nothing.
    pub fn detached(&self) -> impl Future<Output = Result<usize, String>> + Send + 'static {
        let len = self.weights.len();
        async move { Ok(len) }
    }

    /// Returns a future in a box.
    pub fn boxed(&self) -> Pin<Box<dyn Future<Output = usize> + Send + '_>> {
        Box::pin(async move { self.weights.len() })
    }

    /// Returns closures.
    pub fn closures(&self) -> Result<impl Fn(&str) -> usize + '_, String> {
        let len = self.weights.len();
        Ok(move |text: &str| text.len() + len)
    }

    /// Takes everything.
    pub async fn consume(self, (mut left, right): (Vec<u8>, Vec<u8>)) -> Vec<u8> {
        left.extend(right);
        left.extend(self.weights);
        left
    }
}

/// Uses it all.
pub fn run() -> Result<(), String> {
    let mut model = Model::default();
    let span = lens::span!("run", group = "job", len = model.weights.len(), name:? = model.name);
    assert!(model.first().is_none());
    let mut names = Vec::new();
    assert!(model.last(&mut names).is_err());
    let model = Model::default();
    drop((model.load("1"), model.detached(), model.boxed()));
    assert_eq!(model.closures()?("abc"), 3);
    lens::record!(done = true);
    drop(span.instrument(model.consume((vec![], vec![]))));
    Ok(())
}

#[test]
fn what_compiles_also_runs() {
    assert_eq!(run(), Ok(()));
}

/// The temporaries of a tail live longer than the variables, by the rules of this edition.
#[cfg(test)]
mod tails {
    /// Says when it ends.
    struct Tell<'a>(&'static str, &'a std::cell::RefCell<Vec<&'static str>>);

    impl Drop for Tell<'_> {
        fn drop(&mut self) {
            self.1.borrow_mut().push(self.0);
        }
    }

    impl Tell<'_> {
        fn length(&self) -> usize {
            self.0.len()
        }
    }

    #[lens::trace]
    fn tail(told: &std::cell::RefCell<Vec<&'static str>>) -> usize {
        let _local = Tell("local", told);
        Tell("temporary", told).length()
    }

    #[lens::trace]
    fn fallible_tail(told: &std::cell::RefCell<Vec<&'static str>>, list: Vec<u8>) -> Option<usize> {
        let _local = Tell("local", told);
        Some(Tell("temporary", told).length() + list.len())
    }

    #[test]
    fn a_tail_is_read_by_the_edition_of_the_user() {
        let told = std::cell::RefCell::default();
        tail(&told);
        fallible_tail(&told, vec![]);
        assert_eq!(told.take(), ["local", "temporary", "local", "temporary"]);
    }
}
