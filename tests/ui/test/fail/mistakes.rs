#[lens_testkit::test(flavour = "multi_thread", level = "verbose", isolation = "thread")]
async fn misspelt() {}

#[lens_testkit::test(flavor = "multi_thread")]
fn without_a_runtime() {}

#[lens_testkit::test(worker_threads = 2)]
async fn with_workers_of_nothing() {}

#[lens_testkit::test(isolation = "Process")]
#[should_panic]
fn that_cannot_tell() {}

#[lens_testkit::test]
fn with_more_arguments(cap: lens_testkit::Capture, more: u8) {}

#[lens_testkit::test]
struct NotAFunction;

struct Shop;

impl Shop {
    #[lens_testkit::test]
    fn with_self(&self) {}
}

fn main() {}
