//! Sets of packs that may know a program, found without a search of all their programs' names: most commands are in no
//! pack.

use super::PACKS;

/// Number of rows of the table. A name that shares its row with another one only costs a comparison of names.
const ROWS: usize = 4096;

/// For each row the packs that have rules about a program there, a bit each, in the order of [`PACKS`].
static TABLE: [u16; ROWS] = table();

/// Some of the packs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known(u16);

impl Known {
    /// The packs that may have rules about a program.
    pub(super) fn by_name(name: &str) -> Self {
        Self(TABLE.get(row(name)).copied().unwrap_or(u16::MAX))
    }

    /// Returns true if the set is not empty.
    pub(super) fn is_any(self) -> bool {
        self.0 != 0
    }

    /// Returns true if the set has the pack at this place.
    pub(super) fn has(self, place: usize) -> bool {
        (self.0 >> place) & 1 == 1
    }
}

#[expect(clippy::indexing_slicing, reason = "it runs when this is compiled")]
const fn table() -> [u16; ROWS] {
    let mut table = [0; ROWS];
    let mut pack = 0;
    while pack < PACKS.len() {
        let programs = PACKS[pack].programs;
        let mut program = 0;
        while program < programs.len() {
            let names = programs[program].names;
            let mut name = 0;
            while name < names.len() {
                table[row(names[name])] |= 1 << pack;
                name += 1;
            }
            program += 1;
        }
        pack += 1;
    }
    table
}

/// The row of a name: FNV-1a, which is short, and good enough for names that we choose ourselves.
#[expect(
    clippy::indexing_slicing,
    reason = "a constant function has no iterators, and the index is below the length"
)]
const fn row(name: &str) -> usize {
    let name = name.as_bytes();
    let mut hash: u32 = 0x811c_9dc5;
    let mut at = 0;
    while at < name.len() {
        hash = (hash ^ name[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ (hash >> 16)) as usize % ROWS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pack_is_found_by_all_names_of_its_programs() {
        for (place, pack) in PACKS.iter().enumerate() {
            for name in pack.programs.iter().flat_map(|program| program.names) {
                assert!(Known::by_name(name).has(place), "{name} of {}", pack.name);
            }
        }
    }

    #[test]
    fn few_names_share_a_row_with_a_program_that_a_pack_knows() {
        let is_empty =
            |name: &String| PACKS.iter().enumerate().all(|(place, _)| !Known::by_name(name).has(place));
        let strangers = (0..1000).map(|number| format!("tool-{number}"));
        assert!(strangers.filter(is_empty).count() > 750);
    }
}
