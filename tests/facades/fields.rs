//! Fields of spans on the records inside of them, where they are asked for.

use lens_testkit::{Capture, test};
use tracing::field::Empty;
use tracing::info_span;

#[test(env(NEMO_LENS_SPAN_FIELDS = "request_id, tenant"))]
fn a_field_that_is_asked_for_is_on_every_record_inside(cap: Capture) {
    let request = info_span!("request", request_id = 7, path = "/", tenant = Empty);
    request.in_scope(|| {
        log::info!("before");
        request.record("tenant", "acme");
        lens::span!("inner", request_id = "own").record("tenant", inside("inside"));
        tracing::info!(tenant = "said", "own");
    });
    inside("outside");
    let record = |body: &str| cap.logs().body(body).one();
    record("before")
        .has_attr("request_id", 7)
        .has_no_attr("tenant")
        .has_no_attr("path");
    record("inside")
        .has_attr("request_id", "own")
        .has_attr("tenant", "acme");
    record("own")
        .has_attr("request_id", 7)
        .has_attr("tenant", "said");
    record("outside")
        .has_no_attr("request_id")
        .has_no_attr("tenant");
}

fn inside(said: &str) -> &str {
    log::info!("{said}");
    "late"
}

#[test(env(NEMO_LENS_SPAN_FIELDS = "job"))]
fn an_explicit_parent_is_where_they_are_looked_for(cap: Capture) {
    let job = info_span!("job", job = 1);
    let other = info_span!("other", job = 2).entered();
    info_span!(parent: &job, "step").in_scope(|| log::info!("step"));
    info_span!(parent: None, "root").in_scope(|| log::info!("root"));
    tracing::info!(parent: &job, "of the job");
    drop(other);
    cap.logs().body("step").one().has_attr("job", 1);
    cap.logs().body("of the job").one().has_attr("job", 1);
    cap.logs().body("root").one().has_no_attr("job");
}

#[test(env(NEMO_LENS_SPAN_FIELDS = "password,request"))]
fn they_are_hidden_like_any_other_and_later_ones_of_guards_count(cap: Capture) {
    let span = lens::span!("ours", password = "hunter2");
    span.record("request", 9);
    log::info!("said");
    cap.logs()
        .one()
        .has_attr("password", "[redacted]")
        .has_attr("request", 9);
}

#[test]
fn they_are_not_there_where_nobody_asks(cap: Capture) {
    info_span!("request", request_id = 7).in_scope(|| log::info!("said"));
    cap.logs().one().has_no_attr("request_id");
}

#[test(env(NEMO_LENS_SPAN_FIELDS = "talks"))]
fn a_field_that_says_something_while_it_is_recorded_holds_nobody_up(cap: Capture) {
    struct Talks;
    impl std::fmt::Debug for Talks {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            tracing::error!("in between");
            f.write_str("talked")
        }
    }
    let span = info_span!("request", talks = Empty).entered();
    span.record("talks", tracing::field::debug(Talks));
    log::info!("said");
    cap.logs().body("said").one().has_attr("talks", "talked");
    drop(span);
    cap.spans()
        .one()
        .has_attr("talks", "talked")
        .has_error("in between");
}
