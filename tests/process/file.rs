//! `file:PATH`: what is written is what a receiver would have got.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

use lens_testkit::{Program, Receiver};

use super::{bodies, program};

/// A file in a folder of this test's own, neither of which is there yet.
fn file(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&folder);
    folder.join("telemetry.jsonl")
}

/// Makes the folder of a file.
fn make_folder(file: &Path) {
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
}

/// The program without a runtime, writing to `file`.
fn writing(mode: &str, file: &Path) -> Program {
    program!("sync", mode).env("NEMO_LENS_EXPORTER", format!("file:{}", file.display()))
}

/// Sends each line to a receiver, as a collector that reads the file would.
fn replay(lines: &str, receiver: &Receiver) {
    for line in lines.lines() {
        let path = if line.starts_with("{\"resourceLogs\"") {
            "logs"
        } else {
            "traces"
        };
        let address = receiver.endpoint().replace("http://", "");
        let mut stream = TcpStream::connect(&address).expect("a receiver");
        write!(
            stream,
            "POST /v1/{path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{line}",
            line.len()
        )
        .expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

#[test]
fn each_line_is_a_request_that_a_receiver_takes() {
    let path = file("each_line_is_a_request");
    make_folder(&path);
    for _ in 0..2 {
        let run = writing("spans", &path).run();
        assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    }
    let (written, sent) = (Receiver::start(), Receiver::start());
    replay(&fs::read_to_string(&path).expect("a text"), &written);
    super::sync("spans", &sent).run();
    let once = sent.logs().to_vec();
    let twice = written.logs().to_vec();
    assert_eq!(bodies(&twice), [bodies(&once), bodies(&once)].concat());
    assert_eq!(written.spans().count(), 2 * sent.spans().count());
    let middle = written.spans().name("middle").to_vec();
    let inside = written.logs().body("in middle").to_vec();
    assert_eq!(inside[0].trace_id(), Some(middle[0].trace_id()));
    assert_eq!(
        inside[0].attr("code.file.path"),
        once[0].attr("code.file.path")
    );
}

#[test]
fn a_file_that_cannot_be_written_is_one_line_and_used_when_it_can_be() {
    let path = file("a_file_that_cannot_be_written");
    let mut program = writing("until told", &path)
        .env("OTEL_TRACES_EXPORTER", "none")
        .env("OTEL_BLRP_SCHEDULE_DELAY", "1")
        .stdin()
        .start();
    let told = program.line();
    let expected = format!(
        "export of log records fails: cannot write to {}: ",
        path.display()
    );
    assert!(told.contains(&expected), "{told}");
    make_folder(&path);
    program.tell("more");
    let told = program.line();
    assert!(told.contains("log records are written to "), "{told}");
    let run = program.finish();
    assert_eq!(run.notices().len(), 1, "{:?}", run.notices());
    assert!(run.notices()[0].starts_with("1 of 3 log records were not exported (1 failed)"));
    let receiver = Receiver::start();
    replay(&fs::read_to_string(&path).expect("a text"), &receiver);
    assert_eq!(bodies(&receiver.logs().to_vec()), ["more", "the end"]);
}

#[test]
fn a_line_that_was_left_unfinished_costs_no_other_one() {
    let path = file("a_line_that_was_left_unfinished");
    make_folder(&path);
    fs::write(&path, "{\"resourceLo").expect("a text");
    let run = writing("span", &path).run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let text = fs::read_to_string(&path).expect("a text");
    let (torn, whole) = text.split_once('\n').expect("several lines");
    assert_eq!(torn, "{\"resourceLo");
    let receiver = Receiver::start();
    replay(whole, &receiver);
    assert_eq!((receiver.logs().count(), receiver.spans().count()), (1, 1));
}

#[test]
fn numbers_that_json_does_not_have_are_texts() {
    let path = file("numbers_that_json_does_not_have");
    make_folder(&path);
    let run = writing("not a number", &path).run();
    assert_eq!((run.code(), run.stderr.as_str()), (0, ""));
    let receiver = Receiver::start();
    replay(&fs::read_to_string(&path).expect("a text"), &receiver);
    let log = receiver.logs().one();
    log.has_attr("loss", "NaN").has_attr("rate", "-Infinity");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_costs_the_records_and_nothing_else() {
    let run = writing("span", Path::new("/dev/full")).run();
    assert_eq!(run.code(), 0);
    let notices = run.notices();
    assert_eq!(notices.len(), 3, "{notices:?}");
    assert!(
        notices[0].contains("/dev/full: No space left on device"),
        "{notices:?}"
    );
    assert!(notices[2].starts_with("1 of 1 log records"), "{notices:?}");
}
