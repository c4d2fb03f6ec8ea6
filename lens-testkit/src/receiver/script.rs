//! What the receiver answers.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

/// A kind of telemetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Signal {
    /// Log records.
    Logs,
    /// Spans.
    Traces,
    /// Metrics.
    Metrics,
}

impl Signal {
    pub(super) const ALL: [Signal; 3] = [Signal::Logs, Signal::Traces, Signal::Metrics];

    /// The signal of a request's path: `/v1/logs`, also with a prefix, or a gRPC method.
    pub(super) fn of_path(path: &str) -> Option<Self> {
        if path.ends_with("/v1/logs") || path.ends_with(".LogsService/Export") {
            Some(Signal::Logs)
        } else if path.ends_with("/v1/traces") || path.ends_with(".TraceService/Export") {
            Some(Signal::Traces)
        } else if path.ends_with("/v1/metrics") || path.ends_with(".MetricsService/Export") {
            Some(Signal::Metrics)
        } else {
            None
        }
    }
}

/// One answer to one request.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(super) delay: Duration,
    pub(super) answer: Answer,
}

#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// Take it; a part may be rejected.
    Ok { rejected: i64, message: String },
    /// An HTTP status, or a gRPC status where the request is gRPC.
    Status {
        code: u16,
        message: String,
        headers: Vec<(&'static str, String)>,
        /// A gRPC `RetryInfo`: when to try again.
        retry_info: Option<Duration>,
    },
    /// A success with a body that is none of OTLP's.
    Malformed { bytes: usize },
    /// Never.
    Hang,
    /// End the connection: close it, or reset it.
    End { reset: bool },
}

impl Reply {
    /// Takes the request.
    #[must_use]
    pub fn ok() -> Self {
        Self::partial(0, "")
    }

    /// Takes the request and says that so many of its items were rejected.
    #[must_use]
    pub fn partial(rejected: i64, message: &str) -> Self {
        Self::new(Answer::Ok {
            rejected,
            message: message.to_owned(),
        })
    }

    /// Refuses with an HTTP status, or, where the request is gRPC, with a gRPC code.
    #[must_use]
    pub fn status(code: u16) -> Self {
        Self::new(Answer::Status {
            code,
            message: String::new(),
            headers: Vec::new(),
            retry_info: None,
        })
    }

    /// Sends the sender elsewhere, where it must not go.
    #[must_use]
    pub fn redirect(location: &str) -> Self {
        Self::status(307).header("location", location)
    }

    /// Takes the request and answers with a body that is no protobuf.
    #[must_use]
    pub fn malformed() -> Self {
        Self::oversize(16)
    }

    /// Takes the request and answers with so many bytes of nonsense.
    #[must_use]
    pub fn oversize(bytes: usize) -> Self {
        Self::new(Answer::Malformed { bytes })
    }

    /// Never answers; the connection stays open.
    #[must_use]
    pub fn hang() -> Self {
        Self::new(Answer::Hang)
    }

    /// Closes the connection instead of answering.
    #[must_use]
    pub fn close() -> Self {
        Self::new(Answer::End { reset: false })
    }

    /// Resets the connection (RST) instead of answering.
    #[must_use]
    pub fn reset() -> Self {
        Self::new(Answer::End { reset: true })
    }

    /// Answers later.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Adds a message, where the reply is a status.
    #[must_use]
    pub fn message(mut self, text: &str) -> Self {
        if let Answer::Status { message, .. } = &mut self.answer {
            text.clone_into(message);
        }
        self
    }

    /// Adds a header, where the reply is a status.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: &str) -> Self {
        if let Answer::Status { headers, .. } = &mut self.answer {
            headers.push((name, value.to_owned()));
        }
        self
    }

    /// Asks, where the reply is a status, to try again after so many seconds: `Retry-After`,
    /// and for gRPC a `RetryInfo`.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        if let Answer::Status { retry_info, .. } = &mut self.answer {
            *retry_info = Some(Duration::from_secs(seconds));
        }
        self.header("retry-after", &seconds.to_string())
    }

    fn new(answer: Answer) -> Self {
        Self {
            delay: Duration::ZERO,
            answer,
        }
    }
}

/// The replies still to be given; then, and where nothing is scripted, the standing one.
#[derive(Debug, Default)]
pub(super) struct Script {
    next: HashMap<Signal, VecDeque<Reply>>,
    standing: HashMap<Signal, Reply>,
}

impl Script {
    pub(super) fn add(&mut self, signal: Signal, replies: impl IntoIterator<Item = Reply>) {
        self.next.entry(signal).or_default().extend(replies);
    }

    pub(super) fn stand(&mut self, signal: Signal, reply: Reply) {
        self.standing.insert(signal, reply);
    }

    pub(super) fn next(&mut self, signal: Signal) -> Reply {
        (self.next.get_mut(&signal).and_then(VecDeque::pop_front))
            .or_else(|| self.standing.get(&signal).cloned())
            .unwrap_or_else(Reply::ok)
    }
}
