macro_rules! step {
    () => {
        fn step() {}
    };
}

#[lens::trace]
step! {}

fn main() {}
