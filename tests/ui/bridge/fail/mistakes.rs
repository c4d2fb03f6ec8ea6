#[lens::bridge(levle = "debug", off = true)]
mod a {}

#[lens::bridge(off, level = "verbose")]
mod b {}

#[lens::bridge(level = "debug", off)]
mod c {}

#[lens::bridge(max_per_second = -1, sample = 1.5)]
mod d {}

#[lens::bridge(max_per_second = "many", sample = 2, sample = 1)]
mod e {}

mod f {
    lens::bridge_module!(level);
}

fn main() {}
