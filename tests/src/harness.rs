//! Runs a test program as a child process, in an environment of its own.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// A program that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(60);

/// A test program to be run.
#[must_use]
pub struct Program(Command, bool);

/// How a program ended.
#[derive(Debug)]
pub struct Run {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    pub elapsed: Duration,
}

impl Program {
    /// The program at `path`, doing what `mode` says in an empty environment.
    pub fn new(path: &str, mode: &str) -> Self {
        let mut command = Command::new(path);
        command.arg(mode).env_clear();
        Self(command, false)
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.0.arg(arg);
        self
    }

    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.0.env(name, value);
        self
    }

    /// Sends telemetry to `endpoint`.
    pub fn exporting(self, endpoint: &str, protocol: &str) -> Self {
        self.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
            .env("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)
    }

    /// Keeps stdin open, for [`Running::tell`].
    pub fn stdin(mut self) -> Self {
        self.0.stdin(Stdio::piped());
        self.1 = true;
        self
    }

    /// Runs the program to its end.
    pub fn run(self) -> Run {
        self.start().finish()
    }

    /// Starts the program.
    pub fn start(mut self) -> Running {
        if !self.1 {
            self.0.stdin(Stdio::null());
        }
        self.0.stdout(Stdio::piped()).stderr(Stdio::piped());
        let began = Instant::now();
        let mut child = self.0.spawn().expect("the program starts");
        Running {
            stdout: lines(child.stdout.take()),
            stderr: lines(child.stderr.take()),
            stdin: child.stdin.take(),
            child,
            began,
        }
    }
}

/// A program that runs.
pub struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: mpsc::Receiver<String>,
    stderr: mpsc::Receiver<String>,
    began: Instant,
}

impl Running {
    /// Writes a line to the program's stdin.
    pub fn tell(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is kept open");
        writeln!(stdin, "{line}").expect("the program reads");
    }

    /// Waits for the next line on stderr.
    pub fn line(&mut self) -> String {
        self.stderr.recv_timeout(LIMIT).expect("a line on stderr")
    }

    /// Closes stdin and waits for the end; what was read before is left out.
    pub fn finish(mut self) -> Run {
        drop(self.stdin.take());
        let status = wait(&mut self.child, self.began);
        Run {
            status,
            elapsed: self.began.elapsed(),
            stdout: self.stdout.iter().collect(),
            stderr: self.stderr.iter().collect(),
        }
    }
}

impl Run {
    /// The exit code; panics, with everything known, when the program was killed.
    pub fn code(&self) -> i32 {
        self.status
            .code()
            .unwrap_or_else(|| panic!("no exit code: {self:#?}"))
    }

    /// What lens said, without its prefix.
    pub fn notices(&self) -> Vec<&str> {
        self.stderr
            .lines()
            .filter_map(|line| line.strip_prefix("lens: "))
            .collect()
    }

    /// What the program itself wrote on stderr.
    pub fn own_stderr(&self) -> String {
        let lines = self.stderr.split_inclusive('\n');
        lines.filter(|line| !line.starts_with("lens: ")).collect()
    }
}

/// The lines of a pipe as they come.
fn lines(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    let mut pipe = BufReader::new(pipe.expect("a pipe"));
    std::thread::spawn(move || {
        let mut line = Vec::new();
        while pipe.read_until(b'\n', &mut line).is_ok_and(|read| read > 0) {
            let text = String::from_utf8_lossy(&line).into_owned();
            if send.send(text).is_err() {
                return;
            }
            line.clear();
        }
    });
    receive
}

fn wait(child: &mut Child, began: Instant) -> ExitStatus {
    loop {
        if let Some(status) = child.try_wait().expect("the program can be waited for") {
            return status;
        }
        if began.elapsed() > LIMIT {
            child.kill().expect("the program can be killed");
            panic!("the program hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
