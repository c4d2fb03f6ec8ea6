mod training {                                    // in a crate named megatron: target megatron::training
    #[lens::trace(name = "train.step", fields(iteration = i))]
    pub fn step(i: u64) {
        log::info!(loss = 1.23; "iteration {i}"); // exported with the span's ids; RUST_LOG=info still prints it as ever
    }
}

#[lens::main(logs = true, level = "info", logger = "megatron.training")]
fn main() -> anyhow::Result<()> {
    for i in 0..10 { training::step(i); }
    Ok(())
}
