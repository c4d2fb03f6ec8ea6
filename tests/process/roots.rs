//! The span around main, and the groups a program has on.

use lens_testkit::Receiver;

use super::{bodies, program, sync};

#[test]
fn a_root_span_is_around_main_and_around_nothing_else() {
    for program in [
        program!("root_sync", ""),
        program!("root_above", ""),
        program!("root_below", ""),
    ] {
        let receiver = Receiver::start();
        let run = program
            .exporting(&receiver.endpoint(), "http/protobuf")
            .run();
        let stderr = "Error: \"the disk is full\"\n";
        assert_eq!((run.code(), run.stderr.as_str()), (1, stderr));
        let root = receiver.spans().name("job").root().one();
        root.has_error("the disk is full");
        for inside in ["in main", "kept", "the disk is full"] {
            receiver.logs().body(inside).one().in_span(&root);
        }
        receiver.logs().body("plain").uncorrelated().one();
        let file = root.attr("code.file.path").map(ToString::to_string);
        assert!(file.is_some_and(|file| file.contains("tests/programs/root_")));
    }
}

#[test]
fn a_group_nobody_has_is_told_with_those_there_are() {
    let receiver = Receiver::start();
    let run = sync("span", &receiver)
        .env("NEMO_LENS_SPAN_GROUPS", "default,stpe")
        .run();
    assert_eq!(run.code(), 0);
    assert_eq!(
        run.stderr,
        "lens: unknown span group stpe; known are checkpoint, evaluate, forward_backward, job, \
         load_checkpoint, model_init, optimizer, step, and the presets default, per_step, all and \
         none\n"
    );
    assert_eq!(bodies(&receiver.logs().to_vec()), ["inside the step"]);
}
