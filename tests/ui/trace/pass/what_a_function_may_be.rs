#![deny(warnings)]

use std::marker::PhantomData;
use std::pin::Pin;
use std::rc::Rc;

#[lens::trace]
extern "C" fn foreign(n: i32) -> i32 {
    n
}

#[lens::trace]
pub(crate) unsafe extern "C" fn raw(pointer: *const u8) -> u8 {
    unsafe { *pointer }
}

#[lens::trace]
#[unsafe(no_mangle)]
pub extern "C" fn lens_ui_exported() {}

#[lens::trace]
fn inner_attributes(value: u8) -> Result<u8, String> {
    #![allow(unused_variables)]
    use std::convert::identity;
    const ONE: u8 = 1;
    let unused = value;
    Ok(identity(ONE))
}

#[lens::trace]
fn configured(#[cfg(all())] there: u8, #[cfg(not(all()))] gone: Gone) -> u8 {
    there
}

#[lens::trace]
fn maybe_there(a: u8, #[cfg(any())] gone: Gone, #[cfg(all())] there: u8) -> Option<u8> {
    Some(a + there)
}

struct Fields {
    kept: u8,
    #[cfg(any())]
    gone: Gone,
}

#[lens::trace]
fn maybe_fields(Fields { kept, #[cfg(any())] gone }: Fields) -> Option<u8> {
    Some(kept)
}

#[lens::trace]
fn conditional_lints(#[cfg_attr(all(), allow(unused_variables))] unused: u8) -> Option<u8> {
    None
}

#[lens::trace]
fn either((Ok(mut text) | Err(mut text)): Result<String, String>) -> Option<String> {
    text.push('!');
    Some(text)
}

const SITE: &str = "web";
const fn here() -> &'static str {
    "web"
}

#[lens::trace(group = SITE)]
fn named_like_ours() -> Option<&'static str> {
    Some(SITE)
}

#[lens::trace(group = here())]
fn called_like_ours() {}

trait Blanket {
    fn outcome(&self) {}
}
impl<T: ?Sized> Blanket for T {}

#[lens::trace]
fn beside_a_blanket() -> Result<(), String> {
    ().outcome();
    Ok(())
}

#[lens::trace]
fn impl_arguments(mut items: impl Iterator<Item = u8>, f: impl FnOnce(u8) -> u8) -> Option<u8> {
    let first = items.next()?;
    Some(f(first))
}

#[lens::trace(fields(size = N, label = T::LABEL))]
fn constants<T: Labelled, const N: usize>(list: [u8; N]) -> Result<[u8; N], [T; N]> {
    Ok(list)
}

trait Labelled {
    const LABEL: &'static str;

    #[lens::trace(fields(label = Self::LABEL))]
    fn label(&self) -> &'static str
    where
        Self: Sized,
    {
        Self::LABEL
    }

    #[lens::trace]
    fn make() -> Self
    where
        Self: Default,
    {
        Self::default()
    }

    #[lens::trace]
    async fn later(self: Pin<&mut Self>) -> &'static str {
        Self::LABEL
    }

    #[lens::trace]
    fn shared(self: Rc<Self>, other: Rc<Self>) -> bool {
        Rc::ptr_eq(&self, &other)
    }
}

#[derive(Default)]
struct Unit<'a>(PhantomData<&'a ()>);

impl Labelled for Unit<'_> {
    const LABEL: &'static str = "unit";
}

struct Holder<'a, T: ?Sized>(&'a T);

impl<'a, T: ?Sized + PartialEq> Holder<'a, T> {
    #[lens::trace]
    fn get(&self) -> &'a T {
        self.0
    }

    #[lens::trace]
    fn find<'b>(&self, all: &'b [&'a T]) -> Result<&'b &'a T, &'static str> {
        all.iter().find(|one| **one == self.0).ok_or("none")
    }

    #[lens::trace]
    async fn find_later<'b>(&'b self, all: &'b [&'a T]) -> Option<&'b &'a T>
    where
        'a: 'b,
    {
        all.iter().find(|one| **one == self.0)
    }
}

macro_rules! functions {
    ($($vis:vis fn $name:ident($($argument:ident: $ty:ty),*) $(-> $returned:ty)? $body:block)*) => {$(
        #[lens::trace(name = stringify!($name), group = concat!("io"), fields($($argument:?),*))]
        $vis fn $name($($argument: $ty),*) $(-> $returned)? $body
    )*};
}

functions! {
    pub fn add(left: u8, right: u8) -> Option<u8> { left.checked_add(right) }
    fn show(text: &str) { drop(text.to_owned()) }
    fn wait(early: bool) -> Pin<Box<dyn Future<Output = Result<(), String>>>> {
        Box::pin(async move { if early { Err("early".to_owned()) } else { Ok(()) } })
    }
}

macro_rules! method {
    ($self:ident, $body:expr) => {
        impl Counter {
            #[lens::trace(fields(count = $self.0))]
            fn count(&mut $self) -> u8 {
                $body
            }
        }
    };
}

struct Counter(u8);
method!(self, {
    self.0 += 1;
    self.0
});

#[tokio::main(flavor = "current_thread")]
async fn main() {
    assert_eq!(foreign(1), 1);
    assert_eq!(unsafe { raw(&7) }, 7);
    lens_ui_exported();
    assert_eq!(inner_attributes(1), Ok(1));
    assert_eq!((maybe_there(1, 2), maybe_fields(Fields { kept: 1 })), (Some(3), Some(1)));
    assert_eq!(either(Err("a".to_owned())).as_deref(), Some("a!"));
    assert_eq!((conditional_lints(1), named_like_ours()), (None, Some("web")));
    called_like_ours();
    assert!(beside_a_blanket().is_ok());
    assert_eq!(configured(1), 1);
    assert_eq!(impl_arguments([1].into_iter(), |n| n + 1), Some(2));
    assert_eq!(constants::<Unit<'_>, 1>([1]).ok(), Some([1]));
    let mut unit = Unit::make();
    assert_eq!(unit.label(), "unit");
    assert_eq!(Pin::new(&mut unit).later().await, "unit");
    let unit = Rc::new(unit);
    assert!(Rc::clone(&unit).shared(unit));
    let holder = Holder("a");
    assert_eq!(holder.get(), "a");
    assert_eq!(holder.find(&["b", "a"]), Ok(&"a"));
    assert_eq!(holder.find_later(&["b"]).await, None);
    assert_eq!(add(1, 2), Some(3));
    show("a");
    assert!(wait(true).await.is_err());
    assert_eq!(Counter(1).count(), 2);
}
