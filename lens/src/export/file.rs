//! Requests as lines of OTLP JSON, appended to a file.
//!
//! <https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/>

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use opentelemetry_proto::tonic::common::v1::any_value::Value;
use serde::Serialize;

use super::request::{LogsRequest, Request, TraceRequest};
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
        let line = match signal {
            Signal::Logs => line::<LogsRequest>(request),
            Signal::Traces => line::<TraceRequest>(request),
        }?;
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
        let mut options = OpenOptions::new();
        options.create(true).append(true);
        let mut file = match options.clone().read(true).open(&self.path) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => {
                return options.open(&self.path);
            }
            file => file?,
        };
        if is_torn(&mut file) {
            file.write_all(b"\n")?;
        }
        Ok(file)
    }
}

/// Whether the last line has no end; not where nobody can tell, as of a pipe.
fn is_torn(file: &mut File) -> bool {
    let mut last = [0];
    let read = (file.seek(SeekFrom::End(-1))).and_then(|_| file.read_exact(&mut last));
    read.is_ok() && last != *b"\n"
}

fn line<R: Request + Serialize>(request: &[u8]) -> io::Result<Vec<u8>> {
    let mut request = R::decode(request).map_err(io::Error::other)?;
    // JSON has no such numbers, and the serialiser would write `null`.
    request.values(&mut |value| {
        if let Value::DoubleValue(number) = value
            && !number.is_finite()
        {
            *value = Value::StringValue(if number.is_nan() {
                "NaN".to_owned()
            } else if *number > 0.0 {
                "Infinity".to_owned()
            } else {
                "-Infinity".to_owned()
            });
        }
    });
    let mut line = serde_json::to_vec(&request)?;
    line.push(b'\n');
    Ok(line)
}
