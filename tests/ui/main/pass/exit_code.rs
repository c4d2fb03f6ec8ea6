use std::process::ExitCode;

#[lens::main(exporter = "none")]
fn main() -> ExitCode {
    if std::env::args().len() > 100 {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
