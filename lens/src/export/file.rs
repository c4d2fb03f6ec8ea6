//! Requests as lines of OTLP JSON, appended to a file.
//!
//! <https://opentelemetry.io/docs/specs/otel/protocol/file-exporter/>

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;

use opentelemetry_proto::tonic::collector::logs::v1::ExportLogsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use prost::Message;
use serde::Serialize;

use crate::stats::Signal;

/// A file that is written to, by other processes perhaps, too.
pub(crate) struct JsonLines {
    path: PathBuf,
    file: Option<File>,
    /// The end of the file is not that of a line.
    is_torn: bool,
}

impl JsonLines {
    /// Opens the file now, as long as a relative path means what it meant at the start; what
    /// fails is tried again with the first line.
    pub(crate) fn new(path: PathBuf) -> Self {
        let file = open(&path).ok();
        Self {
            path,
            file,
            is_torn: false,
        }
    }

    /// What notices call it.
    pub(crate) fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// Appends a request of `signal`, given as protobuf, as one line.
    pub(crate) fn write(&mut self, signal: Signal, request: &[u8]) -> io::Result<()> {
        let line = match signal {
            Signal::Logs => line::<ExportLogsServiceRequest>(request),
            Signal::Traces => line::<ExportTraceServiceRequest>(request),
        }?;
        let mut file = match self.file.take() {
            Some(file) => file,
            None => open(&self.path)?,
        };
        if self.is_torn {
            file.write_all(b"\n")?;
        }
        self.is_torn = true;
        // At once, so that the lines of several processes do not mix.
        file.write_all(&line)?;
        self.is_torn = false;
        self.file = Some(file);
        Ok(())
    }
}

fn open(path: &PathBuf) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).open(path)
}

fn line<M: Message + Default + Serialize>(request: &[u8]) -> io::Result<Vec<u8>> {
    let request = M::decode(request).map_err(io::Error::other)?;
    let mut line = serde_json::to_vec(&request)?;
    line.push(b'\n');
    Ok(line)
}
