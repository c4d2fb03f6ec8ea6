//! Proves in a test what telemetry a program sends.
//!
//! [`Receiver`] is an OTLP receiver in the test's own process: HTTP with protobuf and gRPC
//! on one port, with replies that the test scripts.
//!
//! ```
//! use lens_testkit::{Receiver, Reply, Signal};
//!
//! let receiver = Receiver::start();
//! receiver.script(Signal::Logs, [Reply::status(503), Reply::hang()]);
//! // … run a program with `receiver.endpoint()` as its OTLP endpoint …
//! assert!(receiver.logs().is_empty());
//! ```

mod receiver;

pub use receiver::{Attempt, LogRecord, Receiver, Reply, Resource, Signal, Span, Value};
