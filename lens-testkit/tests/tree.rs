//! The tree is the same text from run to run.

#![allow(clippy::unwrap_used, reason = "in tests")]

use lens::opentelemetry::trace::{Span as _, TraceContextExt, Tracer};
use lens::opentelemetry::{Context, KeyValue, global};
use lens_testkit::{Capture, Level};

#[lens::trace(name = "job", fields(id = 7, note = "two words"))]
fn job() {
    log::info!(
        "started as {} in {}",
        lens::current_trace_id().unwrap(),
        std::process::id()
    );
    let path = std::env::temp_dir().join(format!("job-{}", std::process::id()));
    log::debug!(
        path = path.to_string_lossy().as_ref(), peer = "127.0.0.1:54321", ratio = 0.5;
        "request 67e55044-10b1-426f-9247-bb680e5fe0c8"
    );
    let mut span = global::tracer("raw").start("raw");
    span.add_event("retried", vec![KeyValue::new("attempt", 2)]);
    span.end();
    let error = std::io::Error::other("disk full");
    log::error!(err:err = error; "lost");
}

#[test]
fn what_differs_from_run_to_run_is_normalised() {
    for _ in 0..3 {
        let cap = Capture::new();
        cap.in_scope(job);
        cap.in_scope(|| log::warn!("outside"));
        assert_eq!(
            cap.tree().to_string(),
            "trace 1
└─ job  id=7 note=\"two words\"
   ├─ INFO tree \"started as [trace 1] in [pid]\"
   ├─ DEBUG tree \"request [uuid]\" path=[tmp]/job-[pid] peer=127.0.0.1:[port] ratio=0.5
   ├─ raw
   │  └─ event retried attempt=2
   └─ ERROR tree \"lost\" !error: \"disk full\"
no trace
└─ WARN tree \"outside\""
        );
    }
}

#[test]
fn siblings_of_several_threads_stand_in_canonical_order() {
    let run = |first: &'static str, second: &'static str| {
        let cap = Capture::new();
        cap.in_scope(|| {
            let _root = lens::span!("root");
            for name in [first, second] {
                let work = move || {
                    let _span = lens::span!("part", name = name);
                    log::info!("in {name}");
                };
                lens::thread::spawn(work).join().unwrap();
            }
        });
        cap.tree().to_string()
    };
    let tree = run("a", "b");
    assert_eq!(tree, run("b", "a"));
    assert_eq!(
        tree,
        "(canonical order)
trace 1
└─ root
   ├─ part  name=a
   │  └─ INFO tree \"in a\"
   └─ part  name=b
      └─ INFO tree \"in b\""
    );
}

#[test]
fn a_tree_can_be_narrowed() {
    let cap = Capture::new();
    cap.in_scope(job);
    let tree = cap
        .tree()
        .min_level(Level::Error)
        .attrs(&["id"])
        .redact("id", "[id]");
    let shown = tree.to_string();
    assert_eq!(
        shown,
        "trace 1
└─ job  id=\"[id]\"
   ├─ raw
   │  └─ event retried
   └─ ERROR tree \"lost\""
    );
    assert!(!cap.tree().without_logs().to_string().contains("ERROR"));
}

#[test]
fn traces_are_numbered_by_their_start_and_open_spans_are_told() {
    let cap = Capture::new();
    let open = cap.in_scope(|| {
        let open = global::tracer("raw").start("open");
        drop(lens::span!("second"));
        open
    });
    assert_eq!(
        cap.tree().to_string(),
        "trace 1\n└─ open (open)\ntrace 2\n└─ second"
    );
    let remote = cap.in_scope(|| {
        let parent = open.span_context().clone();
        let remote = lens::opentelemetry::trace::SpanContext::new(
            parent.trace_id(),
            parent.span_id(),
            parent.trace_flags(),
            true,
            parent.trace_state().clone(),
        );
        let _attached = Context::new().with_remote_span_context(remote).attach();
        global::tracer("raw").start("served")
    });
    drop((open, remote));
    assert_eq!(
        cap.tree().to_string(),
        "trace 1\n├─ open\n└─ served (remote parent)\ntrace 2\n└─ second"
    );
}

#[test]
fn a_tree_is_a_snapshot_for_insta() {
    let cap = Capture::new();
    cap.in_scope(|| {
        let _span = lens::span!("job");
        log::info!("inside");
    });
    insta::assert_snapshot!(cap.tree(), @r#"
    trace 1
    └─ job
       └─ INFO tree "inside"
    "#);
}
