trait Train {
    #[lens::trace]
    fn step(&self);
}

fn main() {}
