//! The attribute on an `impl` block, a trait or a module.

use lens_testkit::{Capture, test};

struct Model {
    weights: Vec<f64>,
}

#[lens::trace(group = "step", skip(len))]
impl Model {
    const SIZE: usize = { 2 };

    /// Makes one.
    pub fn new() -> Self {
        Self {
            weights: vec![0.0; Self::SIZE],
        }
    }

    pub const fn size() -> usize {
        Self::SIZE
    }

    fn len(&self) -> usize {
        self.weights.len()
    }

    #[lens::trace(name = "own", fields(len = self.len()))]
    fn forward(&mut self) -> Result<f64, String> {
        self.weights
            .iter()
            .copied()
            .reduce(f64::max)
            .ok_or_else(|| "empty".to_owned())
    }

    async fn fit<T>(&mut self, values: impl IntoIterator<Item = T>)
    where
        T: Into<f64>,
    {
        self.weights = values.into_iter().map(Into::into).collect();
    }
}

#[lens::trace(skip(quiet))]
mod pipeline {
    #![allow(dead_code)]

    pub struct Wide<const N: usize>([u8; N]);

    impl Wide<{ 1 + 1 }> {
        pub fn sum(&self) -> u8 {
            quiet();
            self.0.iter().sum()
        }
    }

    pub trait Stage {
        fn name(&self) -> &'static str;

        fn run(&self) -> u8 {
            self.name().len() as u8
        }
    }

    impl Stage for u8 {
        fn name(&self) -> &'static str {
            "u8"
        }
    }

    pub mod inner {
        pub fn deep() -> super::Wide<2> {
            super::Wide([1, 2])
        }
    }

    fn quiet() {}

    pub fn both() -> bool {
        inner::deep().sum() < 4 && (inner::deep().sum() > 2)
    }
}

macro_rules! module {
    ($name:ident, $($item:item)*) => {
        #[lens::trace]
        mod $name {
            $($item)*
        }
    };
}

module! {
    made,
    pub fn by_a_macro() {}
    pub struct Nothing;
    impl Nothing {
        pub fn method(&self) {}
    }
}

#[test]
fn items_that_a_users_own_macro_passed_on_are_traced(cap: Capture) {
    made::by_a_macro();
    made::Nothing.method();
    assert_eq!(names(&cap), ["made::by_a_macro", "made::Nothing::method"]);
}

fn names(cap: &Capture) -> Vec<String> {
    let spans = cap.spans().to_vec();
    spans
        .iter()
        .map(|span| {
            span.name()
                .trim_start_matches("behaviour::blocks::")
                .to_owned()
        })
        .collect()
}

#[test]
async fn each_function_of_a_block_is_traced_but_those_to_skip(cap: Capture) {
    let mut model = Model::new();
    assert_eq!((model.len(), Model::size()), (2, 2));
    assert_eq!(model.forward(), Ok(0.0));
    model.fit([1_u8, 2]).await;
    assert_eq!(names(&cap), ["Model::new", "own", "Model::fit"]);
    cap.spans().name("own").one().has_attr("len", 2);
}

#[test(groups = "none")]
fn a_function_has_the_arguments_of_its_block(cap: Capture) {
    let mut model = Model::new();
    model.forward().unwrap();
    assert_eq!(names(&cap), ["own"]);
}

#[test]
fn a_module_is_traced_with_everything_in_it(cap: Capture) {
    use pipeline::Stage;
    assert!(pipeline::both());
    assert_eq!(7_u8.run(), 2);
    assert_eq!(
        names(&cap),
        [
            "pipeline::both",
            "pipeline::inner::deep",
            "pipeline::Wide::sum",
            "pipeline::inner::deep",
            "pipeline::Wide::sum",
            "pipeline::Stage::run",
            "u8::name",
        ]
    );
}
