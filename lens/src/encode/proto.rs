//! The wire format of protobuf, as much of it as log records need.
//!
//! <https://protobuf.dev/programming-guides/encoding/>

/// Something that can be written.
pub(crate) trait Message {
    fn write(&self, out: &mut Vec<u8>);
}

/// Writing to a buffer, each byte once.
pub(crate) trait Out {
    fn varint(&mut self, value: u64);
    fn key(&mut self, field: u32, wire_type: u32);
    /// Writes a message as a field.
    fn message(&mut self, field: u32, message: &impl Message);
    fn varint_field(&mut self, field: u32, value: u64);
    fn fixed64_field(&mut self, field: u32, value: u64);
    fn fixed32_field(&mut self, field: u32, value: u32);
    fn bytes_field(&mut self, field: u32, value: &[u8]);
    /// Writes a text, unless it is the default.
    fn text_field(&mut self, field: u32, value: &str);
}

impl Out for Vec<u8> {
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the lowest seven bits")]
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.push(value as u8);
    }

    #[inline]
    fn key(&mut self, field: u32, wire_type: u32) {
        self.varint(u64::from(field << 3 | wire_type));
    }

    #[inline]
    fn message(&mut self, field: u32, message: &impl Message) {
        self.key(field, 2);
        let begin = self.len();
        // Room for the length of a short one; a longer one moves.
        self.push(0);
        message.write(self);
        let length = self.len() - begin - 1;
        match (u8::try_from(length), self.get_mut(begin)) {
            (Ok(length @ ..0x80), Some(byte)) => *byte = length,
            _ => widen(self, begin, length),
        }
    }

    fn varint_field(&mut self, field: u32, value: u64) {
        self.key(field, 0);
        self.varint(value);
    }

    fn fixed64_field(&mut self, field: u32, value: u64) {
        self.key(field, 1);
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn fixed32_field(&mut self, field: u32, value: u32) {
        self.key(field, 5);
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn bytes_field(&mut self, field: u32, value: &[u8]) {
        self.key(field, 2);
        self.varint(value.len() as u64);
        self.extend_from_slice(value);
    }

    fn text_field(&mut self, field: u32, value: &str) {
        if !value.is_empty() {
            self.bytes_field(field, value.as_bytes());
        }
    }
}

/// Puts the length of a long message in front of it, where one byte is.
#[inline(never)]
#[expect(clippy::cast_possible_truncation, reason = "the lowest seven bits")]
fn widen(out: &mut Vec<u8>, begin: usize, length: usize) {
    let count = (usize::BITS - length.leading_zeros()).div_ceil(7) as usize;
    out.resize(begin + count + length, 0);
    let Some(field) = out.get_mut(begin..) else {
        return;
    };
    field.copy_within(1..=length, count);
    for (at, byte) in field.iter_mut().take(count).enumerate() {
        let bits = (length >> (7 * at)) as u8;
        *byte = if at + 1 == count { bits } else { bits | 0x80 };
    }
}
