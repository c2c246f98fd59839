//! Sections of a wasm file, by their headers: components and core modules have one format. Their content is not parsed, so this is not a
//! validation; files that the compiler refuses never run.

/// A section's number and content.
pub type Section<'a> = (u8, &'a [u8]);

/// A section of any content, with a name.
pub const CUSTOM: u8 = 0;
/// In a component: a core module within it.
pub const MODULE: u8 = 1;
/// In a component: a component within it.
pub const COMPONENT: u8 = 4;

/// The file is not made of sections.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Iterator over sections; ends after the first malformed one.
pub struct Sections<'a> {
    rest: &'a [u8],
}

impl<'a> Sections<'a> {
    /// Returns the sections of a component or of a core module.
    pub fn of_file(wasm: &'a [u8]) -> Result<Self, Malformed> {
        match wasm {
            [0, b'a', b's', b'm', _, _, _, _, rest @ ..] => Ok(Self { rest }),
            _ => Err(Malformed),
        }
    }

    fn read_section(&mut self) -> Option<Section<'a>> {
        let number = take_byte(&mut self.rest)?;
        let size = read_length(&mut self.rest)?;
        Some((number, take_bytes(&mut self.rest, size)?))
    }
}

impl<'a> Iterator for Sections<'a> {
    type Item = Result<Section<'a>, Malformed>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let section = self.read_section().ok_or(Malformed);
        if section.is_err() {
            self.rest = &[];
        }
        Some(section)
    }
}

/// Returns true for a component; false for a core module.
pub fn is_component(wasm: &[u8]) -> bool {
    // The upper half of the version is the layer: 0 for a core module, 1 for a component.
    matches!(wasm, [_, _, _, _, _, _, 1, 0, ..])
}

/// Returns the name and the content of a custom section.
pub fn split_custom(mut section: &[u8]) -> Option<(&[u8], &[u8])> {
    let size = read_length(&mut section)?;
    Some((take_bytes(&mut section, size)?, section))
}

/// Appends a section; `None` if it is longer than a section can be.
pub(crate) fn append_section(to: &mut Vec<u8>, number: u8, content: &[u8]) -> Option<()> {
    to.push(number);
    append_sized(to, content)
}

/// Appends the bytes with their number before them.
pub(crate) fn append_sized(to: &mut Vec<u8>, bytes: &[u8]) -> Option<()> {
    let mut rest = u32::try_from(bytes.len()).ok()?;
    loop {
        let low = u8::try_from(rest & 0x7f).ok()?;
        rest >>= 7;
        if rest == 0 {
            to.push(low);
            break;
        }
        to.push(low | 0x80);
    }
    to.extend_from_slice(bytes);
    Some(())
}

fn take_byte(from: &mut &[u8]) -> Option<u8> {
    let (first, rest) = from.split_first()?;
    *from = rest;
    Some(*first)
}

fn take_bytes<'a>(from: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = from.split_at_checked(count)?;
    *from = rest;
    Some(taken)
}

/// Reads an unsigned number of 32 bits, in LEB128: at most five bytes, and no bits beyond the 32.
fn read_length(from: &mut &[u8]) -> Option<usize> {
    let mut value = 0_u64;
    for shift in [0, 7, 14, 21, 28] {
        let byte = take_byte(from)?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return usize::try_from(u32::try_from(value).ok()?).ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEAD: &[u8] = b"\0asm\x0d\0\x01\0";

    /// Encodes a number in `wide` bytes, or in as many as it needs.
    fn encode_leb(mut value: usize, wide: usize) -> Vec<u8> {
        let mut bytes = Vec::new();
        loop {
            let low = u8::try_from(value & 0x7f).unwrap();
            let more = value >> 7 > 0 || bytes.len() + 1 < wide;
            value >>= 7;
            bytes.push(if more { low | 0x80 } else { low });
            if !more {
                return bytes;
            }
        }
    }

    #[test]
    fn a_number_ends_within_its_five_bytes_and_32_bits() {
        for (bytes, value) in [
            (&[0][..], Some(0)),
            (&[0xe5, 0x8e, 0x26], Some(624_485)),
            (&[0x80, 0x80, 0x80, 0x80, 0x00], Some(0)),
            (&[0xff, 0xff, 0xff, 0xff, 0x0f], Some(0xffff_ffff)),
            (&[0xff, 0xff, 0xff, 0xff, 0x1f], None),
            (&[0x80, 0x80, 0x80, 0x80, 0x80, 0x00], None),
            (&[0x80], None),
            (&[], None),
        ] {
            assert_eq!(read_length(&mut &bytes[..]), value, "{bytes:x?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_walked_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..200), headed: bool) {
            let bytes = if headed { [HEAD, &bytes].concat() } else { bytes };
            let sections: Vec<_> = Sections::of_file(&bytes).into_iter().flatten().collect();
            prop_assert!(sections.len() <= bytes.len());
            for (number, section) in sections.into_iter().flatten() {
                prop_assert!(section.len() < bytes.len());
                if number == CUSTOM {
                    let _ = split_custom(section);
                }
            }
        }

        #[test]
        fn what_was_put_in_comes_out(
            parts in prop::collection::vec((any::<u8>(), prop::collection::vec(any::<u8>(), 0..300), 1..=5_usize), 0..8),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut bytes = HEAD.to_vec();
            for (number, content, wide) in &parts {
                bytes.push(*number);
                bytes.extend(encode_leb(content.len(), *wide));
                bytes.extend(content);
            }
            let read: Result<Vec<_>, _> = Sections::of_file(&bytes).unwrap().collect();
            let expected: Vec<_> = parts.iter().map(|(number, content, _)| (*number, content.as_slice())).collect();
            prop_assert_eq!(read, Ok(expected));
            let cut = cut.index(bytes.len());
            if let Ok(sections) = Sections::of_file(&bytes[..cut]) {
                prop_assert!(sections.flatten().count() <= parts.len());
            }
        }
    }
}
