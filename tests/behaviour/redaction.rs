//! Secrets do not leave, in log records and spans alike.

use lens_testkit::{Capture, no_secrets, test};

fn secrets() {
    let span = lens::span!("login", user = "ann", db.password = "hunter2", token = 7);
    log::info!(
        "http.request.header.Authorization" = "Bearer hunter2",
        "session-id" = "hunter2-session",
        password:err = std::fmt::Error,
        api_key:? = Some("hunter2");
        "logged in"
    );
    lens::record!(cookie = "hunter2");
    drop(span);
}

#[test]
fn secrets_are_replaced_by_their_keys(cap: Capture) {
    secrets();
    let span = cap.spans().one();
    for key in ["db.password", "token", "cookie"] {
        span.has_attr(key, "[redacted]");
    }
    span.has_attr("user", "ann");
    let log = cap.logs().one();
    log.has_attr("http.request.header.Authorization", "[redacted]")
        .has_attr("api_key", "[redacted]")
        .has_attr("password", "[redacted]")
        .has_no_attr("exception.message")
        .has_attr("session-id", "hunter2-session");
    no_secrets!(cap, ["Bearer"]);
}

#[test(env(NEMO_LENS_REDACT = "+session_id"))]
fn the_list_is_extended(cap: Capture) {
    secrets();
    no_secrets!(cap, ["hunter2"]);
    cap.spans().one().has_attr("token", "[redacted]");
}

#[test(env(NEMO_LENS_REDACT = "off"))]
fn redaction_is_turned_off(cap: Capture) {
    secrets();
    cap.spans()
        .one()
        .has_attr("db.password", "hunter2")
        .has_attr("token", 7);
}
