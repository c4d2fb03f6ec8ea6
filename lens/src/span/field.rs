//! Values as typed span attributes.

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use opentelemetry::Value;

/// A value that can be a span attribute, with its type.
///
/// An integer that does not fit `i64` becomes its exact decimal text; `None` is no
/// attribute.
///
/// ```
/// use lens::Field;
/// assert_eq!(7_u64.to_value(), Some(7.into()));
/// assert_eq!(u64::MAX.to_value(), Some("18446744073709551615".into()));
/// assert_eq!(None::<bool>.to_value(), None);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an attribute",
    note = "numbers, booleans and strings can; others as text: `key:% = value` by `Display`, `key:? = value` by `Debug`"
)]
pub trait Field {
    /// Returns the attribute's value, or `None` for no attribute.
    fn to_value(&self) -> Option<Value>;
}

macro_rules! integers {
    ($($integer:ty),*) => {$(
        impl Field for $integer {
            fn to_value(&self) -> Option<Value> {
                Some(match i64::try_from(*self) {
                    Ok(value) => Value::I64(value),
                    Err(_) => self.to_string().into(),
                })
            }
        }
    )*};
}

integers!(
    i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize
);

impl Field for f64 {
    fn to_value(&self) -> Option<Value> {
        Some(Value::F64(*self))
    }
}

impl Field for f32 {
    fn to_value(&self) -> Option<Value> {
        Some(Value::F64(f64::from(*self)))
    }
}

impl Field for bool {
    fn to_value(&self) -> Option<Value> {
        Some(Value::Bool(*self))
    }
}

impl Field for char {
    fn to_value(&self) -> Option<Value> {
        Some(self.to_string().into())
    }
}

impl Field for str {
    fn to_value(&self) -> Option<Value> {
        Some(self.to_owned().into())
    }
}

impl Field for String {
    fn to_value(&self) -> Option<Value> {
        self.as_str().to_value()
    }
}

impl Field for Cow<'_, str> {
    fn to_value(&self) -> Option<Value> {
        self.as_ref().to_value()
    }
}

impl Field for Value {
    fn to_value(&self) -> Option<Value> {
        Some(self.clone())
    }
}

impl<T: Field> Field for Option<T> {
    fn to_value(&self) -> Option<Value> {
        self.as_ref()?.to_value()
    }
}

macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<T: Field + ?Sized> Field for $pointer {
            fn to_value(&self) -> Option<Value> {
                (**self).to_value()
            }
        }
    )*};
}

pointers!(&T, &mut T, Box<T>, Rc<T>, Arc<T>);
