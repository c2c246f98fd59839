//! The one fact about a program that decides where it runs: the C library is in it, or is loaded from the machine.

/// Number of a program header that names a dynamic linker (`PT_INTERP`).
const INTERPRETER: usize = 3;

/// Returns true if a 64-bit little-endian ELF program names no dynamic linker; `None` for any other file.
pub(crate) fn is_static(program: &[u8]) -> Option<bool> {
    if !program.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let (table, size) = (read_number(program, 32, 8)?, read_number(program, 54, 2)?);
    for at in 0..read_number(program, 56, 2)? {
        let header = table.checked_add(at.checked_mul(size)?)?;
        if read_number(program, header, 4)? == INTERPRETER {
            return Some(false);
        }
    }
    Some(true)
}

/// Reads a little-endian number.
fn read_number(bytes: &[u8], at: usize, length: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(length)?)?;
    field
        .iter()
        .rev()
        .try_fold(0_usize, |number, byte| number.checked_mul(256)?.checked_add(usize::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a program with program headers of these kinds.
    fn create_program(kinds: &[u8]) -> Vec<u8> {
        let mut program = b"\x7fELF\x02\x01".to_vec();
        program.resize(32, 0);
        program.extend([64, 0, 0, 0, 0, 0, 0, 0]);
        program.resize(54, 0);
        program.extend([56, 0, u8::try_from(kinds.len()).unwrap(), 0]);
        program.resize(64, 0);
        for kind in kinds {
            program.push(*kind);
            program.extend([0; 55]);
        }
        program
    }

    #[test]
    fn a_program_that_names_a_dynamic_linker_is_not_static() {
        assert_eq!(is_static(&create_program(&[6, 1, 2])), Some(true));
        assert_eq!(is_static(&create_program(&[6, 3, 1])), Some(false));
    }

    #[test]
    fn a_file_that_is_cut_or_of_another_format_is_unknown() {
        let program = create_program(&[6, 1]);
        assert_eq!(is_static(program.get(..100).unwrap()), None);
        assert_eq!(is_static(b"#!/bin/sh\n"), None);
    }
}
