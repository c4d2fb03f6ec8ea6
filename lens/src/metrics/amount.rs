//! The numbers that can be measured.

use std::time::Duration;

/// A number as instruments take it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A whole one that has no sign.
    Unsigned(u64),
    /// A whole one.
    Signed(i64),
    /// Any other.
    Real(f64),
}

/// A number that can be measured: by [`counter!`](crate::counter!) and its like.
///
/// Whole numbers of any size are one kind, and `f32`, `f64` and durations, in seconds, another: an
/// instrument is of one of these. What is too large for 64 bits is as large as it can be.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be measured",
    note = "numbers and durations can; a closure that returns one is asked at each collection"
)]
pub trait Amount {
    /// Whether it is no whole number.
    const IS_REAL: bool = false;

    /// Returns it as an instrument takes it.
    fn number(self) -> Number;
}

macro_rules! unsigned {
    ($($integer:ty),*) => {$(
        impl Amount for $integer {
            #[inline]
            fn number(self) -> Number {
                Number::Unsigned(u64::try_from(self).unwrap_or(u64::MAX))
            }
        }
    )*};
}

macro_rules! signed {
    ($($integer:ty),*) => {$(
        impl Amount for $integer {
            #[inline]
            fn number(self) -> Number {
                let most = if self < 0 { i64::MIN } else { i64::MAX };
                Number::Signed(i64::try_from(self).unwrap_or(most))
            }
        }
    )*};
}

unsigned!(u8, u16, u32, u64, u128, usize);
signed!(i8, i16, i32, i64, i128, isize);

impl Amount for f64 {
    const IS_REAL: bool = true;

    #[inline]
    fn number(self) -> Number {
        Number::Real(self)
    }
}

impl Amount for f32 {
    const IS_REAL: bool = true;

    #[inline]
    fn number(self) -> Number {
        Number::Real(f64::from(self))
    }
}

impl Amount for Duration {
    const IS_REAL: bool = true;

    #[inline]
    fn number(self) -> Number {
        Number::Real(self.as_secs_f64())
    }
}

impl Number {
    /// As a floating-point number, which rounds those above 2^53.
    #[expect(clippy::cast_precision_loss, reason = "that is what it says")]
    pub(super) fn real(self) -> f64 {
        match self {
            Self::Unsigned(number) => number as f64,
            Self::Signed(number) => number as f64,
            Self::Real(number) => number,
        }
    }

    /// Without its fraction, and as large as it can be.
    #[expect(clippy::cast_possible_truncation, reason = "that is what it says")]
    pub(super) fn whole(self) -> i64 {
        match self {
            Self::Unsigned(number) => i64::try_from(number).unwrap_or(i64::MAX),
            Self::Signed(number) => number,
            Self::Real(number) => number as i64,
        }
    }

    /// The same of what only grows; `None` for what does not.
    pub(super) fn growth(self) -> Option<u64> {
        match self {
            Self::Unsigned(number) => Some(number),
            _ => u64::try_from(self.whole()).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_value_as_far_as_it_goes() {
        assert_eq!(7_u8.number(), Number::Unsigned(7));
        assert_eq!(u128::MAX.number(), Number::Unsigned(u64::MAX));
        assert_eq!(i128::MIN.number(), Number::Signed(i64::MIN));
        assert_eq!(0.5_f32.number(), Number::Real(0.5));
        assert_eq!(Duration::from_millis(250).number(), Number::Real(0.25));
        assert_eq!(u64::MAX.number().whole(), i64::MAX);
        assert_eq!(u64::MAX.number().growth(), Some(u64::MAX));
        assert_eq!(
            ((-1).number().growth(), 1.number().growth()),
            (None, Some(1))
        );
    }
}
