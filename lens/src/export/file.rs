//! Requests as lines of OTLP JSON, appended to a file.
//!
//! <https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/>

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::PathBuf;

use super::json::json;
use crate::stats::Signal;

/// A file that is appended to, by other processes perhaps, too.
#[derive(Debug)]
pub(crate) struct JsonLines {
    path: PathBuf,
    /// None before the first line, and after one that failed.
    file: Option<File>,
}

impl JsonLines {
    /// Opens nothing yet; what fails then is tried again with the next line.
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, file: None }
    }

    /// What notices call it.
    pub(crate) fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// Appends a request of `signal`, given as protobuf, as one line.
    pub(crate) fn write(&mut self, signal: Signal, request: &[u8]) -> io::Result<()> {
        let mut line = json(signal, request)?;
        line.push(b'\n');
        let mut file = match self.file.take() {
            Some(file) => file,
            None => self.open()?,
        };
        // At once, so that the lines of several processes do not mix.
        file.write_all(&line)?;
        self.file = Some(file);
        Ok(())
    }

    /// Opens the file, and ends a line that a full disk or an earlier process left unfinished.
    fn open(&self) -> io::Result<File> {
        let kind = fs::metadata(&self.path).map(|metadata| metadata.file_type());
        // A pipe that nobody reads is an error; without this flag it would wait for somebody.
        #[cfg(unix)]
        let _held_open = (kind.as_ref().is_ok_and(FileTypeExt::is_fifo))
            .then(|| {
                let mut options = OpenOptions::new();
                options.write(true).custom_flags(libc::O_NONBLOCK);
                options.open(&self.path)
            })
            .transpose()?;
        let mut options = OpenOptions::new();
        let mut file = options.create(true).append(true).open(&self.path)?;
        if kind.is_ok_and(|kind| kind.is_file()) && self.is_torn() {
            file.write_all(b"\n")?;
        }
        Ok(file)
    }

    /// Whether the last line has no end; not where it cannot be read.
    fn is_torn(&self) -> bool {
        let mut last = [0];
        let read = File::open(&self.path).and_then(|mut file| {
            file.seek(SeekFrom::End(-1))?;
            file.read_exact(&mut last)
        });
        read.is_ok() && last != *b"\n"
    }
}
