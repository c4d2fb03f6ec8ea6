//! The wire format of protobuf, as much of it as log records need.
//!
//! <https://protobuf.dev/programming-guides/encoding/>

/// Something that can be written.
pub(crate) trait Message {
    fn write(&self, out: &mut Vec<u8>);
}

/// Writing to a buffer, each byte once. Fields have numbers up to 15, whose keys are one byte.
pub(crate) trait Out {
    fn varint(&mut self, value: u64);
    /// Writes a message as a field.
    fn message(&mut self, field: u8, message: &impl Message);
    /// Writes a message of probably so many bytes as a field.
    fn message_of(&mut self, length: usize, field: u8, message: &impl Message);
    fn varint_field(&mut self, field: u8, value: u64);
    fn fixed64_field(&mut self, field: u8, value: u64);
    fn fixed32_field(&mut self, field: u8, value: u32);
    fn bytes_field(&mut self, field: u8, value: &[u8]);
    /// Writes a text, unless it is the default.
    fn text_field(&mut self, field: u8, value: &str);
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
    fn message(&mut self, field: u8, message: &impl Message) {
        self.message_of(0, field, message);
    }

    #[inline]
    fn message_of(&mut self, length: usize, field: u8, message: &impl Message) {
        self.push(field << 3 | 2);
        let begin = self.len();
        // Room for the length, one byte or two; where it takes another one, the message moves.
        self.push(0);
        if length >= 0x80 {
            self.push(0);
        }
        let room = self.len() - begin;
        message.write(self);
        set_length(self, begin, room);
    }

    #[inline]
    fn varint_field(&mut self, field: u8, value: u64) {
        self.push(field << 3);
        self.varint(value);
    }

    #[inline]
    fn fixed64_field(&mut self, field: u8, value: u64) {
        let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
        self.extend_from_slice(&[field << 3 | 1, a, b, c, d, e, f, g, h]);
    }

    #[inline]
    fn fixed32_field(&mut self, field: u8, value: u32) {
        let [a, b, c, d] = value.to_le_bytes();
        self.extend_from_slice(&[field << 3 | 5, a, b, c, d]);
    }

    #[inline]
    fn bytes_field(&mut self, field: u8, value: &[u8]) {
        self.push(field << 3 | 2);
        self.varint(value.len() as u64);
        self.extend_from_slice(value);
    }

    #[inline]
    fn text_field(&mut self, field: u8, value: &str) {
        if !value.is_empty() {
            self.bytes_field(field, value.as_bytes());
        }
    }
}

/// Sets the length of a message at `begin`, where `room` bytes for it are in front of the message.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the lowest seven bits")]
fn set_length(out: &mut Vec<u8>, begin: usize, room: usize) {
    let length = out.len() - begin - room;
    match (length, out.get_mut(begin..begin + room)) {
        (..0x80, Some([byte])) => *byte = length as u8,
        (0x80..0x4000, Some([low, high])) => {
            (*low, *high) = (length as u8 | 0x80, (length >> 7) as u8);
        }
        _ => move_for_length(out, begin, room),
    }
}

/// Moves a message to where its length leaves it, and sets that.
#[cold]
#[expect(clippy::cast_possible_truncation, reason = "the lowest seven bits")]
fn move_for_length(out: &mut Vec<u8>, begin: usize, room: usize) {
    let length = out.len() - begin - room;
    let count = (usize::BITS - length.leading_zeros()).max(1).div_ceil(7) as usize;
    out.resize(begin + length + room.max(count), 0);
    let Some(field) = out.get_mut(begin..) else {
        return;
    };
    field.copy_within(room..room + length, count);
    for (at, byte) in field.iter_mut().take(count).enumerate() {
        let bits = (length >> (7 * at)) as u8;
        *byte = if at + 1 == count { bits } else { bits | 0x80 };
    }
    out.truncate(begin + count + length);
}
