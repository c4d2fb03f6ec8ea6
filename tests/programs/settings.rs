//! A program with more settings than most.

use lens_tests::scenario;

#[lens::main(
    logs = true,
    metrics = true,
    env_prefix = "MEGATRON_OTEL",
    resource(team = "core", nodes = 2),
    strategy = |rank, _| rank != 13
)]
fn main() -> Result<(), String> {
    scenario::run(&scenario::mode())
}
