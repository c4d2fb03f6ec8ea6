//! A process that forks: the child has no worker, and no part of what the parent has.

use lens_testkit::Receiver;

use super::{PROTOCOLS, bodies, program};

#[test]
fn what_the_parent_logs_arrives_once_and_the_child_ends_as_ever() {
    for protocol in PROTOCOLS {
        let receiver = Receiver::start();
        let run = program!("forking", "log")
            .sending_to(&receiver, protocol)
            .run();
        assert_eq!(run.code(), 0);
        let logs = receiver.logs().to_vec();
        assert_eq!(
            bodies(&logs),
            ["of the parent", "the child ended with 0"],
            "{protocol}"
        );
        assert_eq!(receiver.spans().count(), 0);
        assert_eq!(receiver.metrics().name("processes").one().value as u64, 1);
        assert_eq!(
            run.notices(),
            [
                "2 log records and spans of a forked child were not exported; a child \
              exports where lens starts after the fork"
            ]
        );
    }
}

#[test]
fn a_forked_child_draws_ids_of_its_own() {
    let receiver = Receiver::start();
    let run = program!("forking", "")
        .sending_to(&receiver, "http/protobuf")
        .run();
    assert_eq!(run.code(), 0);
    let lines: Vec<_> = run.stdout.lines().collect();
    let [child, parent] = lines[..] else {
        panic!("two processes print: {lines:?}")
    };
    let ids: Vec<_> = [child, parent]
        .iter()
        .flat_map(|line| line.split(' '))
        .collect();
    assert_eq!(ids.len(), 4);
    assert!(ids[0] != ids[2] && ids[1] != ids[3], "{ids:?}");
}
