//! A key-value captured with `:serde` as lists and maps.
//!
//! Bounded: what is too deep or too much becomes a mark of it.

use std::collections::HashMap;
use std::fmt;

use log::kv::Value;
use opentelemetry::Key;
use opentelemetry::logs::AnyValue;
use serde::ser::{self, Serialize};

use super::value::integer;
use crate::config::{REDACTED, Redact};
use crate::text::text;

/// How deep lists and maps may lie in each other.
const DEPTH: usize = 16;
/// How many values one value may hold.
const VALUES: usize = 1_000;
/// What stands for what is not there.
const CUT: &str = "…";

/// The value with its structure; `None` when it has none that can be told. Inside: nothing for
/// `None` and unit.
pub(super) fn any_value(value: &Value<'_>, redact: &Redact) -> Option<Option<AnyValue>> {
    let mut left = VALUES;
    let serializer = Structure {
        depth: DEPTH,
        left: &mut left,
        redact,
    };
    value.serialize(serializer).ok()
}

/// What makes a value; a whole number of them is left.
struct Structure<'l> {
    depth: usize,
    left: &'l mut usize,
    redact: &'l Redact,
}

/// What a value becomes; nothing for `None` and unit.
type Made = Result<Option<AnyValue>, Failed>;

impl<'l> Structure<'l> {
    /// What is inside of something that has a single value.
    fn inside(mut self, value: &(impl Serialize + ?Sized)) -> Made {
        match self.depth.checked_sub(1) {
            Some(depth) => self.depth = depth,
            None => return Ok(Some(CUT.into())),
        }
        value.serialize(self)
    }

    fn of(self, value: &(impl Serialize + ?Sized)) -> Made {
        match self.left.checked_sub(1) {
            Some(left) => *self.left = left,
            None => return Ok(Some(CUT.into())),
        }
        value.serialize(self)
    }

    fn list(self) -> Values<'l> {
        Values {
            depth: self.depth.checked_sub(1),
            left: self.left,
            redact: self.redact,
            variant: None,
            list: Vec::new(),
            map: HashMap::new(),
            key: None,
        }
    }

    fn variant(self, variant: &'static str) -> Values<'l> {
        Values {
            variant: Some(variant),
            ..self.list()
        }
    }
}

/// A list or a map that is being made.
struct Values<'l> {
    /// Of what is in it; `None` when that is too deep.
    depth: Option<usize>,
    left: &'l mut usize,
    redact: &'l Redact,
    /// The variant of an enum that it belongs to.
    variant: Option<&'static str>,
    list: Vec<AnyValue>,
    map: HashMap<Key, AnyValue>,
    key: Option<Key>,
}

impl Values<'_> {
    fn made(&mut self, value: &(impl Serialize + ?Sized)) -> Made {
        match self.depth {
            Some(depth) => Structure {
                depth,
                left: self.left,
                redact: self.redact,
            }
            .of(value),
            None => Ok(Some(CUT.into())),
        }
    }

    fn push(&mut self, value: &(impl Serialize + ?Sized)) -> Result<(), Failed> {
        if *self.left == 0 {
            // Marked once, however much is missing.
            if self.list.last() != Some(&CUT.into()) {
                self.list.push(CUT.into());
            }
            return Ok(());
        }
        // A place in a list counts, so nothing is something there.
        let value = self.made(value)?.unwrap_or_else(|| "null".into());
        self.list.push(value);
        Ok(())
    }

    fn insert(&mut self, key: Key, value: &(impl Serialize + ?Sized)) -> Result<(), Failed> {
        if *self.left == 0 {
            self.map.insert(CUT.into(), CUT.into());
        } else if self.redact.hides(key.as_str()) {
            self.map.insert(key, REDACTED.into());
        } else if let Some(value) = self.made(value)? {
            self.map.insert(key, value);
        }
        Ok(())
    }

    fn into_list(self) -> Made {
        let list = AnyValue::ListAny(Box::new(self.list));
        Ok(Some(of_variant(self.variant, list)))
    }

    fn into_map(self) -> Made {
        let map = AnyValue::Map(Box::new(self.map));
        Ok(Some(of_variant(self.variant, map)))
    }
}

fn of_variant(variant: Option<&'static str>, value: AnyValue) -> AnyValue {
    match variant {
        Some(variant) => AnyValue::Map(Box::new(HashMap::from([(variant.into(), value)]))),
        None => value,
    }
}

/// What serde has for `value` could not be told.
#[derive(Debug)]
struct Failed;

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the value cannot be told")
    }
}

impl std::error::Error for Failed {}

impl ser::Error for Failed {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

macro_rules! scalars {
    ($($method:ident($ty:ty) => |$value:ident| $made:expr;)*) => {$(
        fn $method(self, $value: $ty) -> Made {
            Ok(Some($made))
        }
    )*};
}

impl<'l> ser::Serializer for Structure<'l> {
    type Ok = Option<AnyValue>;
    type Error = Failed;
    type SerializeSeq = Values<'l>;
    type SerializeTuple = Values<'l>;
    type SerializeTupleStruct = Values<'l>;
    type SerializeTupleVariant = Values<'l>;
    type SerializeMap = Values<'l>;
    type SerializeStruct = Values<'l>;
    type SerializeStructVariant = Values<'l>;

    scalars! {
        serialize_bool(bool) => |value| value.into();
        serialize_i8(i8) => |value| integer(value);
        serialize_i16(i16) => |value| integer(value);
        serialize_i32(i32) => |value| integer(value);
        serialize_i64(i64) => |value| integer(value);
        serialize_i128(i128) => |value| integer(value);
        serialize_u8(u8) => |value| integer(value);
        serialize_u16(u16) => |value| integer(value);
        serialize_u32(u32) => |value| integer(value);
        serialize_u64(u64) => |value| integer(value);
        serialize_u128(u128) => |value| integer(value);
        serialize_f32(f32) => |value| f64::from(value).into();
        serialize_f64(f64) => |value| value.into();
        serialize_char(char) => |value| value.to_string().into();
        serialize_str(&str) => |value| value.to_owned().into();
        serialize_bytes(&[u8]) => |value| AnyValue::Bytes(Box::new(value.to_vec()));
    }

    fn serialize_none(self) -> Made {
        Ok(None)
    }

    /// What is formatted only; the default panics where a `Display` fails.
    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Made {
        Ok(Some(text(format_args!("{value}")).into()))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Made {
        self.inside(value)
    }

    fn serialize_unit(self) -> Made {
        Ok(None)
    }

    fn serialize_unit_struct(self, name: &'static str) -> Made {
        Ok(Some(name.into()))
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Made {
        Ok(Some(variant.into()))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Made {
        self.inside(value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Made {
        let mut values = self.list();
        values.insert(variant.into(), value)?;
        values.into_map()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Values<'l>, Failed> {
        Ok(self.list())
    }

    fn serialize_tuple(self, _: usize) -> Result<Values<'l>, Failed> {
        Ok(self.list())
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Values<'l>, Failed> {
        Ok(self.list())
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Values<'l>, Failed> {
        Ok(self.variant(variant))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Values<'l>, Failed> {
        Ok(self.list())
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Values<'l>, Failed> {
        Ok(self.list())
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Values<'l>, Failed> {
        Ok(self.variant(variant))
    }
}

/// The lists of serde, which differ in their names only.
macro_rules! lists {
    ($($of:ident::$push:ident),*) => {$(
        impl ser::$of for Values<'_> {
            type Ok = Option<AnyValue>;
            type Error = Failed;

            fn $push<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
                self.push(value)
            }

            fn end(self) -> Made {
                self.into_list()
            }
        }
    )*};
}

lists!(
    SerializeSeq::serialize_element,
    SerializeTuple::serialize_element,
    SerializeTupleStruct::serialize_field,
    SerializeTupleVariant::serialize_field
);

macro_rules! structs {
    ($($of:ident),*) => {$(
        impl ser::$of for Values<'_> {
            type Ok = Option<AnyValue>;
            type Error = Failed;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                key: &'static str,
                value: &T,
            ) -> Result<(), Failed> {
                self.insert(key.into(), value)
            }

            fn end(self) -> Made {
                self.into_map()
            }
        }
    )*};
}

structs!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Values<'_> {
    type Ok = Option<AnyValue>;
    type Error = Failed;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Failed> {
        let mut left = 1;
        let scalar = Structure {
            depth: 1,
            left: &mut left,
            redact: self.redact,
        };
        self.key = Some(match key.serialize(scalar)? {
            Some(AnyValue::String(text)) => text.to_string().into(),
            Some(AnyValue::Int(number)) => number.to_string().into(),
            Some(AnyValue::Double(number)) => number.to_string().into(),
            Some(AnyValue::Boolean(flag)) => flag.to_string().into(),
            _ => CUT.into(),
        });
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Failed> {
        let key = self.key.take().unwrap_or_else(|| CUT.into());
        self.insert(key, value)
    }

    fn end(self) -> Made {
        self.into_map()
    }
}

#[cfg(test)]
#[path = "structured_tests.rs"]
mod tests;
