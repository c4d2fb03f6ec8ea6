//! The process that emits: one kind of sender, one scenario.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use lens::opentelemetry_sdk::logs::{BatchConfigBuilder, BatchLogProcessor, SdkLoggerProvider};
use log::LevelFilter;
use opentelemetry_appender_log::OpenTelemetryLogBridge;
use opentelemetry_otlp::{LogExporter, Protocol, WithExportConfig};

/// Who brings the records to the receiver.
#[derive(Clone, Copy, PartialEq)]
pub enum Sender {
    Sdk,
    SdkEnlarged,
    Lens,
}

impl Sender {
    pub const ALL: [Self; 3] = [Self::Sdk, Self::SdkEnlarged, Self::Lens];

    pub fn name(self) -> &'static str {
        match self {
            Self::Sdk => "sdk",
            Self::SdkEnlarged => "sdk-enlarged",
            Self::Lens => "lens",
        }
    }

    pub fn named(name: &str) -> Self {
        let mut all = Self::ALL.into_iter();
        all.find(|sender| sender.name() == name).expect("a sender")
    }
}

/// What the program does.
#[derive(Clone, Copy, PartialEq)]
pub enum Scenario {
    /// 10,000 records in a loop.
    Burst,
    /// As many, 100 times, every 50 ms.
    Steps,
    /// A million records in a loop.
    FlatOut,
    /// Five million of them.
    Flood,
}

impl Scenario {
    /// Those in which senders are compared.
    pub const ALL: [Self; 3] = [Self::Burst, Self::Steps, Self::FlatOut];

    pub fn name(self) -> &'static str {
        match self {
            Self::Burst => "burst",
            Self::Steps => "steps",
            Self::FlatOut => "flat-out",
            Self::Flood => "flood",
        }
    }

    pub fn named(name: &str) -> Self {
        let mut all = [Self::Burst, Self::Steps, Self::FlatOut, Self::Flood].into_iter();
        all.find(|scenario| scenario.name() == name)
            .expect("a scenario")
    }

    /// Emits, and says how much.
    fn emit(self) -> u32 {
        match self {
            Self::Burst => emit(10_000),
            Self::Steps => {
                let began = Instant::now();
                (1..=100)
                    .map(|step| {
                        let emitted = emit(10_000);
                        let end = began + step * Duration::from_millis(50);
                        thread::sleep(end.saturating_duration_since(Instant::now()));
                        emitted
                    })
                    .sum()
            }
            Self::FlatOut => emit(1_000_000),
            Self::Flood => emit(5_000_000),
        }
    }
}

fn emit(count: u32) -> u32 {
    for i in 0..count {
        log::info!("iteration {} loss {:.4}", i, f64::from(i) * 0.001);
    }
    count
}

/// Runs the scenario and prints records emitted, seconds, CPU seconds and the peak of memory in
/// MiB.
pub fn send(sender: Sender, protocol: &str, scenario: Scenario, endpoint: &str) {
    let (emitted, wall, cpu) = match sender {
        Sender::Lens => {
            let lens = lens::Builder::new()
                .traces(false)
                .level("info")
                .local("off")
                .endpoint(endpoint)
                .protocol(protocol)
                .start();
            timed(scenario, || drop(lens))
        }
        Sender::Sdk | Sender::SdkEnlarged => {
            // Tonic wants to be built inside of a runtime, whose threads it uses.
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(1)
                .enable_all()
                .build()
                .expect("a runtime");
            let _entered = runtime.enter();
            let provider = provider(sender, protocol, endpoint);
            let bridge = OpenTelemetryLogBridge::new(&provider);
            log::set_boxed_logger(Box::new(bridge)).expect("the first logger");
            log::set_max_level(LevelFilter::Info);
            timed(scenario, || {
                let _ = provider.shutdown();
            })
        }
    };
    println!("{emitted} {wall} {cpu} {}", peak_mib());
}

/// Records emitted, seconds and CPU seconds.
fn timed(scenario: Scenario, shut_down: impl FnOnce()) -> (u32, f64, f64) {
    let (began, cpu) = (Instant::now(), ProcessTime::now());
    let emitted = scenario.emit();
    shut_down();
    let wall = began.elapsed().as_secs_f64();
    (emitted, wall, cpu.elapsed().as_secs_f64())
}

fn provider(sender: Sender, protocol: &str, endpoint: &str) -> SdkLoggerProvider {
    let exporter = if protocol == "grpc" {
        LogExporter::builder()
            .with_tonic()
            .with_endpoint(endpoint)
            .build()
    } else {
        LogExporter::builder()
            .with_http()
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(format!("{endpoint}/v1/logs"))
            .build()
    };
    let mut config = BatchConfigBuilder::default();
    if sender == Sender::SdkEnlarged {
        config = config.with_max_queue_size(2_000_000);
    }
    let batch = BatchLogProcessor::builder(exporter.expect("an exporter"))
        .with_batch_config(config.build())
        .build();
    SdkLoggerProvider::builder()
        .with_log_processor(batch)
        .build()
}

/// What the kernel says, where it does; else 0.
fn peak_mib() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kib.unwrap_or_default() / 1024.0
}
