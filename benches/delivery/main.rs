//! What arrives of the log records a program emits, how fast and at what cost: lens beside the
//! SDK's batch processor and exporter, as it is and with a queue in which everything fits.
//!
//! `cargo bench -p lens-benches --features delivery --bench delivery`; with words behind `--`
//! only what has them in its line, as in `-- flat grpc`. `LENS_BENCH_COLLECTOR` names the
//! program of rotel, a collector; without it, a server that decodes and counts. Sender and
//! receiver are processes of their own; the sender's are measured, from its first record until
//! it is shut down. The median run of several, by time.

mod receive;
mod send;

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, ExitCode, Stdio};

use receive::{Mode, Receiver};
use send::{Scenario, Sender};

const ROUNDS: usize = 5;
/// A second thing to compare with is not needed to see that memory stays bounded.
const HANGING: &str = "hanging";

/// What came of one run.
#[derive(Clone, Debug)]
struct Run {
    emitted: u64,
    delivered: u64,
    seconds: f64,
    cpu_seconds: f64,
    peak_mib: f64,
}

impl Run {
    fn rate(&self) -> f64 {
        self.delivered as f64 / self.seconds
    }

    fn cpu_of_a_million(&self) -> f64 {
        self.cpu_seconds * 1e6 / self.delivered.max(1) as f64
    }
}

fn run(sender: Sender, protocol: &str, scenario: Scenario, mode: Mode) -> Run {
    let receiver = Receiver::start(mode);
    let this = std::env::current_exe().expect("a benchmark has a path");
    let mut child = Command::new(this)
        .args(["send", sender.name(), protocol, scenario.name()])
        .arg(receiver.endpoint(protocol))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .env_clear()
        .spawn()
        .expect("this program starts");
    let mut said = String::new();
    let stdout = child.stdout.as_mut().expect("it is piped");
    stdout.read_to_string(&mut said).expect("a text");
    child.wait().expect("it ends");
    let numbers: Vec<f64> = said.split_whitespace().flat_map(str::parse).collect();
    let [emitted, seconds, cpu_seconds, peak_mib] = numbers[..] else {
        panic!("the sender said {said:?}");
    };
    Run {
        emitted: emitted as u64,
        delivered: receiver.end(),
        seconds,
        cpu_seconds,
        peak_mib,
    }
}

/// The median by time, with the slowest and the fastest rate.
fn measure(sender: Sender, protocol: &str, scenario: Scenario) -> (Run, f64, f64) {
    let one = || run(sender, protocol, scenario, Mode::Taking);
    let mut runs: Vec<_> = (0..ROUNDS).map(|_| one()).collect();
    runs.sort_by(|a, b| a.rate().total_cmp(&b.rate()));
    let (slowest, fastest) = (runs[0].rate(), runs[ROUNDS - 1].rate());
    (runs[ROUNDS / 2].clone(), slowest, fastest)
}

fn is_wanted(words: &[String], line: &str) -> bool {
    words.iter().all(|word| line.contains(word.as_str()))
}

fn main() -> ExitCode {
    let mut arguments: Vec<_> = std::env::args().skip(1).collect();
    arguments.retain(|argument| argument != "--bench");
    let words: Vec<_> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["send", sender, protocol, scenario, endpoint] => {
            send::send(
                Sender::named(sender),
                protocol,
                Scenario::named(scenario),
                endpoint,
            );
            return ExitCode::SUCCESS;
        }
        ["receive", mode] => {
            receive::serve(Mode::named(mode));
            return ExitCode::SUCCESS;
        }
        _ => {}
    }
    println!("receiver: {}", receive::name());
    println!(
        "scenario  protocol       sender        delivered   records/s (slowest, fastest)  \
         CPU s a million  peak MiB"
    );
    for scenario in Scenario::ALL {
        for protocol in ["http/protobuf", "grpc"] {
            if is_wanted(&arguments, &format!("{} {protocol}", scenario.name())) {
                compare(scenario, protocol);
            }
        }
    }
    if is_wanted(&arguments, HANGING) {
        let run = run(
            Sender::Lens,
            "http/protobuf",
            Scenario::Flood,
            Mode::Hanging,
        );
        println!(
            "{HANGING}: lens emits {} records to a receiver that never answers, peak {:.0} MiB",
            run.emitted, run.peak_mib
        );
    }
    ExitCode::SUCCESS
}

fn compare(scenario: Scenario, protocol: &str) {
    let mut runs = Vec::new();
    for sender in Sender::ALL {
        let (run, slowest, fastest) = measure(sender, protocol, scenario);
        println!(
            "{:<9} {protocol:<14} {:<13} {:>8.1}% {:>9.0} ({:.0}, {:.0}) {:>22.2} {:>9.0}",
            scenario.name(),
            sender.name(),
            100.0 * run.delivered as f64 / run.emitted as f64,
            run.rate(),
            slowest,
            fastest,
            run.cpu_of_a_million(),
            run.peak_mib
        );
        runs.push(run);
    }
    let [_, peer, lens] = &runs[..] else { return };
    println!(
        "{:<9} {protocol:<14} lens / sdk-enlarged: records/s {:.2}, CPU {:.2}, peak {:.2}",
        scenario.name(),
        lens.rate() / peer.rate(),
        lens.cpu_of_a_million() / peer.cpu_of_a_million(),
        lens.peak_mib / peer.peak_mib
    );
}

/// The first line of what a child prints.
fn first_line(from: &mut impl Read) -> String {
    let mut line = String::new();
    BufReader::new(from).read_line(&mut line).expect("a line");
    line.trim().to_owned()
}
