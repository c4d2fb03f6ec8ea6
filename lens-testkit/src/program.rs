//! A program under test, run as a child process in an environment of its own.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use crate::receiver::Receiver;

/// A program that takes longer hangs, where nothing else is said.
const LIMIT: Duration = Duration::from_secs(60);

/// A program to be run, made by [`bin!`](crate::bin!).
///
/// Its environment is empty but for what the test sets.
#[derive(Debug)]
#[must_use = "the program runs when `run` or `start` is called"]
pub struct Program {
    command: Command,
    keeps_stdin: bool,
    is_unread: bool,
    limit: Duration,
}

/// A program that runs.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: mpsc::Receiver<String>,
    stderr: mpsc::Receiver<String>,
    began: Instant,
    limit: Duration,
}

/// How a program ended.
#[derive(Debug)]
#[non_exhaustive]
pub struct Run {
    /// Its exit status.
    pub status: ExitStatus,
    /// All it wrote on stdout.
    pub stdout: String,
    /// All it wrote on stderr.
    pub stderr: String,
    /// How long it ran.
    pub elapsed: Duration,
}

/// A program of the package under test, by its name: a [`Program`].
///
/// ```text
/// let run = lens_testkit::bin!("shop").arg("--fail-fast").sending_to(&receiver, "grpc").run();
/// assert_eq!(run.code(), 2);
/// ```
#[macro_export]
macro_rules! bin {
    ($name:literal) => {
        $crate::Program::new(::core::env!(::core::concat!("CARGO_BIN_EXE_", $name)))
    };
}

impl Program {
    /// The program at `path`, or, where the variable `LENS_TESTKIT_BINS` names a folder, the one
    /// of that name in there: so that the same tests judge programs that were built in another
    /// way.
    pub fn new(path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let elsewhere = std::env::var_os("LENS_TESTKIT_BINS").map(PathBuf::from);
        let mut command = match elsewhere.zip(path.file_name()) {
            Some((folder, name)) => Command::new(folder.join(name)),
            None => Command::new(path),
        };
        command.env_clear();
        Self {
            command,
            keeps_stdin: false,
            is_unread: false,
            limit: LIMIT,
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.command.arg(arg);
        self
    }

    /// Sets a variable.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Lets the program send its telemetry to `endpoint` by `protocol`.
    pub fn exporting(self, endpoint: &str, protocol: &str) -> Self {
        self.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
            .env("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)
    }

    /// Lets the program send its telemetry to `receiver` by `protocol`.
    pub fn sending_to(self, receiver: &Receiver, protocol: &str) -> Self {
        self.exporting(&receiver.endpoint(), protocol)
    }

    /// Keeps stdin open, for [`Running::tell`]; else it is empty.
    pub fn stdin(mut self) -> Self {
        self.keeps_stdin = true;
        self
    }

    /// Gives the program a stdout and a stderr that nobody reads: writing to them fails, as behind
    /// a `head` that has ended. [`Run`] has no text then.
    pub fn unread(mut self) -> Self {
        self.is_unread = true;
        self
    }

    /// Says how long the program may take to end; a minute where nothing is said.
    pub fn limit(mut self, limit: Duration) -> Self {
        self.limit = limit;
        self
    }

    /// Runs the program to its end.
    ///
    /// # Panics
    ///
    /// When it cannot be started, or does not end within its [limit](Self::limit).
    pub fn run(self) -> Run {
        self.start().finish()
    }

    /// Starts the program.
    ///
    /// # Panics
    ///
    /// When it cannot be started.
    #[expect(clippy::expect_used, reason = "a test without its program has failed")]
    pub fn start(mut self) -> Running {
        let stdin = if self.keeps_stdin {
            Stdio::piped()
        } else {
            Stdio::null()
        };
        let output = || {
            if self.is_unread {
                unread_pipe()
            } else {
                Stdio::piped()
            }
        };
        let (stdout, stderr) = (output(), output());
        self.command.stdin(stdin).stdout(stdout).stderr(stderr);
        let began = Instant::now();
        let mut child = self.command.spawn().expect("the program starts");
        Running {
            stdout: lines(child.stdout.take()),
            stderr: lines(child.stderr.take()),
            stdin: child.stdin.take(),
            child,
            began,
            limit: self.limit,
        }
    }
}

impl Running {
    /// Writes a line to the program's stdin.
    ///
    /// # Panics
    ///
    /// When stdin was not kept open, or the program has ended.
    #[expect(clippy::expect_used, reason = "a test that cannot speak has failed")]
    pub fn tell(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("stdin is kept open");
        writeln!(stdin, "{line}").expect("the program reads");
    }

    /// Waits for the next line on stderr.
    ///
    /// # Panics
    ///
    /// When there is none within a minute.
    #[expect(clippy::expect_used, reason = "a test that waits in vain has failed")]
    pub fn line(&mut self) -> String {
        self.stderr.recv_timeout(LIMIT).expect("a line on stderr")
    }

    /// Sends the program a signal, such as `"TERM"`.
    ///
    /// # Panics
    ///
    /// When it cannot be sent.
    #[cfg(unix)]
    pub fn signal(&self, signal: &str) {
        let mut kill = Command::new("kill");
        let sent = kill
            .args(["-s", signal, &self.child.id().to_string()])
            .status();
        assert!(
            sent.is_ok_and(|status| status.success()),
            "{signal} is sent"
        );
    }

    /// Closes stdin and waits for the end; lines that were [read](Self::line) are left out.
    ///
    /// # Panics
    ///
    /// When the program does not end within its [limit](Program::limit) from now on.
    pub fn finish(mut self) -> Run {
        drop(self.stdin.take());
        let status = self.wait();
        let elapsed = self.began.elapsed();
        Run {
            status,
            elapsed,
            stdout: rest(&self.stdout),
            stderr: rest(&self.stderr),
        }
    }

    #[expect(clippy::expect_used, reason = "a test that cannot wait has failed")]
    fn wait(&mut self) -> ExitStatus {
        let deadline = Instant::now() + self.limit;
        loop {
            if let Some(status) = self
                .child
                .try_wait()
                .expect("the program can be waited for")
            {
                return status;
            }
            if Instant::now() > deadline {
                let (stdout, stderr) = (rest(&self.stdout), rest(&self.stderr));
                panic!("the program hangs\nstdout:\n{stdout}\nstderr:\n{stderr}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A test that fails leaves no program behind.
impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is still in a pipe; a grandchild that holds it open is not waited for long.
fn rest(pipe: &mpsc::Receiver<String>) -> String {
    std::iter::from_fn(|| pipe.recv_timeout(Duration::from_secs(2)).ok()).collect()
}

impl Run {
    /// Returns the exit code.
    ///
    /// # Panics
    ///
    /// When the program was killed by a signal; shows everything known.
    #[must_use]
    pub fn code(&self) -> i32 {
        (self.status.code()).unwrap_or_else(|| panic!("no exit code: {self:#?}"))
    }

    /// Returns the signal that ended the program, if one did.
    #[cfg(unix)]
    #[must_use]
    pub fn signal(&self) -> Option<i32> {
        std::os::unix::process::ExitStatusExt::signal(&self.status)
    }

    /// Returns what lens said on stderr, without its prefix.
    #[must_use]
    pub fn notices(&self) -> Vec<&str> {
        let lines = self.stderr.lines();
        lines
            .filter_map(|line| line.strip_prefix("lens: "))
            .collect()
    }

    /// Returns what the program itself wrote on stderr.
    #[must_use]
    pub fn own_stderr(&self) -> String {
        let lines = self.stderr.split_inclusive('\n');
        lines.filter(|line| !line.starts_with("lens: ")).collect()
    }
}

/// A pipe whose other end is closed.
#[expect(clippy::expect_used, reason = "a test without a pipe has failed")]
fn unread_pipe() -> Stdio {
    let (_, write) = std::io::pipe().expect("a pipe");
    write.into()
}

/// The lines of a pipe as they come; none where there is no pipe.
fn lines(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    let Some(pipe) = pipe else { return receive };
    let mut pipe = BufReader::new(pipe);
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
