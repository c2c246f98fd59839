//! The custom section that contains a manifest.

use crate::sections::{self, COMPONENT, CUSTOM, MODULE, Malformed, Sections};

/// The section's name.
pub const NAME: &str = "hookbox:manifest";

/// Bytes before the first section: magic and version.
const HEAD: usize = 8;

/// Deepest nesting of components that is searched; wasmtime accepts less.
const MAX_DEPTH: usize = 100;

/// Returns the content of every section of the name, with its nesting depth.
pub fn find_sections(wasm: &[u8]) -> Result<Vec<(usize, &[u8])>, Malformed> {
    let mut found = Vec::new();
    find_within(wasm, 0, &mut found)?;
    Ok(found)
}

fn find_within<'a>(
    wasm: &'a [u8],
    depth: usize,
    found: &mut Vec<(usize, &'a [u8])>,
) -> Result<(), Malformed> {
    if depth > MAX_DEPTH {
        return Err(Malformed);
    }
    let is_component = sections::is_component(wasm);
    for section in Sections::of_file(wasm)? {
        match section? {
            (CUSTOM, section) => {
                let (name, content) = sections::split_custom(section).ok_or(Malformed)?;
                if name == NAME.as_bytes() {
                    found.push((depth, content));
                }
            }
            // In a core module these numbers are those of types and tables.
            (MODULE | COMPONENT, inner) if is_component => find_within(inner, depth + 1, found)?,
            _ => {}
        }
    }
    Ok(())
}

/// Returns the file with this manifest: at its end, and without earlier manifests at its top level.
pub fn put_section(wasm: &[u8], manifest: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut made = wasm.get(..HEAD).ok_or(Malformed)?.to_vec();
    for section in Sections::of_file(wasm)? {
        let (number, content) = section?;
        if number != CUSTOM || sections::split_custom(content).ok_or(Malformed)?.0 != NAME.as_bytes() {
            sections::append_section(&mut made, number, content).ok_or(Malformed)?;
        }
    }
    let mut content = Vec::new();
    sections::append_sized(&mut content, NAME.as_bytes()).ok_or(Malformed)?;
    content.extend_from_slice(manifest);
    sections::append_section(&mut made, CUSTOM, &content).ok_or(Malformed)?;
    Ok(made)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EMPTY: &[u8] = b"\0asm\x0d\0\x01\0";

    #[test]
    fn the_section_is_the_last_of_the_file() {
        let made = put_section(EMPTY, b"{}").unwrap();
        assert!(made.ends_with(b"\x01\0\x00\x13\x10hookbox:manifest{}"), "{made:?}");
        assert_eq!(find_sections(&made), Ok(vec![(0, &b"{}"[..])]));
    }

    #[test]
    fn an_earlier_manifest_gives_way_and_everything_else_stays() {
        let other = b"\x00\x06\x04namex";
        let with_two = [&put_section(EMPTY, b"old").unwrap(), &other[..]].concat();
        let made = put_section(&put_section(&with_two, b"newer").unwrap(), b"newest").unwrap();
        assert_eq!(made, [EMPTY, other, b"\x00\x17\x10hookbox:manifestnewest"].concat());
    }

    #[test]
    fn what_is_long_has_its_length_in_more_bytes() {
        let long = vec![b' '; 300];
        assert_eq!(find_sections(&put_section(EMPTY, &long).unwrap()), Ok(vec![(0, long.as_slice())]));
    }

    #[test]
    fn a_file_that_is_cut_off_takes_none() {
        let whole = put_section(EMPTY, b"{}").unwrap();
        for length in [0, 7, 9, whole.len() - 1] {
            assert_eq!(put_section(&whole[..length], b"{}"), Err(Malformed), "{length}");
        }
    }
}
