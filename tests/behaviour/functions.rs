//! Functions of every shape: what the span covers, and what it says of the result.

use std::cell::RefCell;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use lens_testkit::{Capture, test};

const NAP: Duration = Duration::from_millis(20);

async fn nap() {
    tokio::time::sleep(NAP).await;
    log::info!("awake");
}

#[async_trait]
trait Load {
    async fn load(&self, name: &str) -> Result<usize, String>;

    #[lens::trace(name = "load twice")]
    async fn twice(&self) -> usize {
        nap().await;
        2
    }
}

struct Disk(usize);

#[async_trait]
impl Load for Disk {
    #[lens::trace(name = "load", fields(name, size = self.0))]
    async fn load(&self, name: &str) -> Result<usize, String> {
        nap().await;
        self.0.checked_sub(1).ok_or(format!("no {name}"))
    }
}

struct Net;

#[lens::trace]
#[async_trait]
impl Load for Net {
    async fn load(&self, name: &str) -> Result<usize, String> {
        nap().await;
        Err(name.to_owned())
    }
}

struct Cloud;

#[async_trait]
#[lens::trace(kind = "client")]
impl Load for Cloud {
    async fn load(&self, _: &str) -> Result<usize, String> {
        nap().await;
        Ok(1)
    }
}

// https://github.com/tokio-rs/tracing/issues/3179 (MAC-10)
#[test]
async fn async_trait_in_either_order_is_traced_while_it_is_awaited(cap: Capture) {
    let disk = Disk(0);
    assert_eq!(disk.load("a.bin").await, Err("no a.bin".to_owned()));
    assert_eq!(disk.twice().await, 2);
    assert!(Net.load("b.bin").await.is_err());
    assert!(Cloud.load("c.bin").await.is_ok());
    let load = cap.spans().name("load").one();
    load.has_attr("name", "a.bin")
        .has_attr("size", 0)
        .has_error("no a.bin");
    let of_impl = "behaviour::functions::Net::load";
    let net = cap.spans().name(of_impl).one();
    net.has_error("b.bin");
    let cloud = cap
        .spans()
        .name("behaviour::functions::Cloud::load")
        .kind("client")
        .one();
    let twice = cap.spans().name("load twice").one();
    for span in [&load, &net, &cloud, &twice] {
        assert!(
            span.duration() >= NAP,
            "{} took {:?}",
            span.name(),
            span.duration()
        );
        cap.logs().body("awake").in_span(span).one();
    }
}

#[lens::trace]
fn boxed(fails: bool) -> Pin<Box<dyn Future<Output = Result<(), String>> + Send>> {
    Box::pin(async move {
        nap().await;
        if fails {
            Err("boxed".to_owned())
        } else {
            Ok(())
        }
    })
}

#[lens::trace]
fn opaque<'a>(text: &'a str) -> impl Future<Output = Result<&'a str, String>> + Send + use<'a> {
    async move {
        nap().await;
        Ok(text)
    }
}

trait Native {
    async fn run(&self) -> u8;

    #[lens::trace]
    async fn again(&self) -> u8 {
        nap().await;
        self.run().await
    }
}

impl Native for u8 {
    #[lens::trace]
    async fn run(&self) -> u8 {
        nap().await;
        *self
    }
}

#[test]
async fn a_future_that_is_returned_is_traced_while_it_is_awaited(cap: Capture) {
    let future = boxed(true);
    assert_eq!(
        cap.spans().including_open().count(),
        0,
        "nothing is polled yet"
    );
    assert!(future.await.is_err());
    assert_eq!(opaque("text").await, Ok("text"));
    assert_eq!(7.again().await, 7);
    let span = |name: &str| cap.spans().name(name).one();
    let [boxed, opaque, again] = ["boxed", "opaque", "Native::again"]
        .map(|name| span(format!("behaviour::functions::{name}").as_str()));
    let run = span("u8::run");
    boxed.has_error("boxed");
    opaque.has_no_error();
    run.has_parent(&again);
    for span in [&boxed, &opaque, &again, &run] {
        assert!(span.duration() >= NAP, "{}", span.name());
        cap.logs().body("awake").in_span(span).one();
    }
}

thread_local! {
    static DROPPED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

struct Tell(u8);

impl Drop for Tell {
    fn drop(&mut self) {
        DROPPED.with_borrow_mut(|all| all.push(self.0));
    }
}

fn plain_order(first: Tell, (second, third): (Tell, Tell), mut fourth: Tell) -> Result<(), u8> {
    let _inside = Tell(9);
    fourth.0 += third.0 - second.0 - first.0;
    Ok(())
}

#[lens::trace]
fn order(first: Tell, (second, third): (Tell, Tell), mut fourth: Tell) -> Result<(), u8> {
    let _inside = Tell(9);
    fourth.0 += third.0 - second.0 - first.0;
    Ok(())
}

#[lens::trace]
async fn later_order(first: Tell, (second, third): (Tell, Tell), mut fourth: Tell) {
    let _inside = Tell(9);
    fourth.0 += third.0 - second.0 - first.0;
}

#[test]
async fn arguments_are_dropped_in_the_order_of_a_plain_function(_: Capture) {
    let arguments = || (Tell(1), (Tell(2), Tell(3)), Tell(4));
    let (a, b, c) = arguments();
    plain_order(a, b, c).unwrap();
    let plain = DROPPED.take();
    assert_eq!(plain, [9, 4, 3, 2, 1]);
    let (a, b, c) = arguments();
    order(a, b, c).unwrap();
    assert_eq!(DROPPED.take(), plain);
    let (a, b, c) = arguments();
    later_order(a, b, c).await;
    assert_eq!(DROPPED.take(), plain);
}

/// Tells how often it was used when it ends.
struct Lease {
    uses: u8,
    told: Tell,
}

impl Drop for Lease {
    fn drop(&mut self) {
        DROPPED.with_borrow_mut(|all| all.push(100 + self.uses));
    }
}

impl Lease {
    fn new() -> Self {
        Self {
            uses: 0,
            told: Tell(1),
        }
    }

    #[lens::trace]
    fn last(mut self, _guard: Tell, Tell(_): Tell) -> Option<u8> {
        self.uses += self.told.0;
        Some(self.uses)
    }

    #[lens::trace]
    async fn last_later(mut self, _guard: Tell) -> Option<u8> {
        self.uses += self.told.0;
        Some(self.uses)
    }

    #[lens::trace]
    fn last_boxed(mut self) -> Pin<Box<dyn Future<Output = u8>>> {
        self.uses += 1;
        Box::pin(async move { self.uses })
    }
}

#[test]
async fn a_self_that_is_a_value_is_taken_whole(_: Capture) {
    assert_eq!(Lease::new().last(Tell(7), Tell(8)), Some(1));
    // What is bound to nothing is dropped last.
    assert_eq!(DROPPED.take(), [7, 101, 1, 8]);
    assert_eq!(Lease::new().last_later(Tell(7)).await, Some(1));
    assert_eq!(DROPPED.take(), [7, 101, 1]);
    assert_eq!(Lease::new().last_boxed().await, 1);
    assert_eq!(DROPPED.take(), [101, 1]);
}

#[lens::trace(err = false)]
fn expected() -> Result<(), String> {
    Err("not found".to_owned())
}

#[lens::trace]
fn unexpected() -> Result<impl Iterator<Item = u8>, String> {
    let parsed: u8 = "x".parse().map_err(|_| "not a number".to_owned())?;
    Ok(std::iter::once(parsed))
}

#[lens::trace]
#[track_caller]
fn caller() -> &'static std::panic::Location<'static> {
    std::panic::Location::caller()
}

#[lens::trace]
#[track_caller]
fn later_caller() -> impl Future<Output = u32> {
    let line = std::panic::Location::caller().line();
    async move { line }
}

#[lens::trace]
fn hidden(text: &str) -> Result<u8, impl Error> {
    text.parse::<u8>()
}

#[test]
async fn an_err_is_a_status_unless_it_is_expected(cap: Capture) {
    assert!(hidden("x").is_err());
    assert_eq!(later_caller().await, line!());
    let hidden = cap.spans().name("behaviour::functions::hidden").one();
    hidden.has_error("invalid digit found in string");
    assert!(expected().is_err());
    assert!(unexpected().is_err());
    assert_eq!(caller().line(), line!());
    cap.spans()
        .name("behaviour::functions::expected")
        .one()
        .has_no_error();
    cap.spans()
        .name("behaviour::functions::unexpected")
        .one()
        .has_error("not a number");
}

#[test]
fn a_span_knows_the_function_and_its_place(cap: Capture) {
    let line = i64::from(line!()) + 2;
    #[lens::trace(name = "placed", kind = "producer")]
    fn placed() {
        let _inner = lens::span!("inner", kind = "consumer");
    }
    placed();
    let test = "behaviour::functions::a_span_knows_the_function_and_its_place::placed";
    for (name, kind, line) in [
        ("placed", "producer", line),
        ("inner", "consumer", line + 1),
    ] {
        let span = cap.spans().name(name).kind(kind).one();
        span.has_attr("code.function.name", test)
            .has_attr("code.file.path", file!())
            .has_attr("code.line.number", line);
        assert_eq!(span.scope(), "lens-tests");
    }
}

macro_rules! methods {
    ($(#[$meta:meta])* $name:ident, $self:ident, $argument:pat => $ty:ty, $returned:ty, $body:block) => {
        $(#[$meta])*
        fn $name(&$self, $argument: $ty) -> $returned $body
    };
}

struct Generated(u64);

impl Generated {
    methods!(
        #[lens::trace(fields(own = self.0))]
        sum, self, (left, mut right) => (u64, u64), Result<u64, String>,
        {
            right += self.0;
            Ok(left + right)
        }
    );
}

macro_rules! traced {
    ($group:literal, $key:ident, $value:expr, $body:block) => {{
        #[lens::trace(name = "generated", group = $group)]
        fn generated() -> u8 $body
        let _span = lens::span!("around", group = $group, $key = $value);
        generated()
    }};
}

#[test]
fn what_a_users_own_macro_makes_is_traced_like_the_rest(cap: Capture) {
    assert_eq!(Generated(1).sum((2, 3)), Ok(6));
    assert_eq!(
        traced!("io", size, 1 + 1, {
            log::info!("generated");
            7
        }),
        7
    );
    let around = cap.spans().name("around").one();
    around.has_attr("size", 2);
    cap.spans().name("generated").one().has_parent(&around);
}

#[lens::trace(name = "concurrent")]
async fn concurrent(done: Arc<Mutex<Vec<u8>>>, id: u8) {
    log::info!(id; "before");
    nap().await;
    log::info!(id; "after");
    done.lock().unwrap().push(id);
}

#[test]
async fn futures_polled_in_turns_keep_their_own_spans(cap: Capture) {
    let done = Arc::default();
    tokio::join!(
        concurrent(Arc::clone(&done), 1),
        concurrent(Arc::clone(&done), 2)
    );
    let spans = cap.spans().name("concurrent").exactly(2);
    for span in &spans {
        let ids: Vec<_> = span
            .logs()
            .to_vec()
            .iter()
            .map(|log| log.attr("id").cloned())
            .collect();
        let own: Vec<_> = ids.iter().flatten().collect();
        assert!(own.windows(2).all(|pair| pair[0] == pair[1]), "{own:?}");
    }
    cap.logs().uncorrelated().none();
}
