//! Ancestors of this process.

use std::{ffi::OsString, path::PathBuf};

/// A process that started this one, or one that started that, and so on; or the leader of this process's session.
#[derive(Debug)]
pub struct Ancestor {
    /// Its number.
    pub number: u32,
    /// The file that it runs, if that can be read.
    pub program: Option<PathBuf>,
    /// The names of the variables that are not empty and that it was started with; none if they may not be read.
    pub variables: Vec<OsString>,
}

/// Returns the ancestors of this process, nearest first, and the leader of its session. Empty where the system does not report them.
///
/// A process whose parents have ended has none of them among its ancestors.
pub fn ancestors() -> Vec<Ancestor> {
    #[cfg(on_linux)]
    return linux::ancestors();
    #[cfg(not(on_linux))]
    Vec::new()
}

#[cfg(on_linux)]
mod linux {
    use std::{
        ffi::OsString,
        fs::{self, File},
        io::Read,
        os::unix::ffi::OsStringExt as _,
    };

    use super::Ancestor;

    /// Most ancestors that are read.
    const MOST: usize = 256;
    /// Most bytes of an environment that are read. The kernel bounds arguments and variables together to a quarter of the stack's limit,
    /// which defaults to 2 MiB.
    const MAX_ENVIRONMENT_BYTES: u64 = 8 << 20;

    pub(super) fn ancestors() -> Vec<Ancestor> {
        let parent = |number: &u32| parent_of(*number).filter(|parent| *parent != 0);
        let parents = std::iter::successors(parent(&std::process::id()), parent).take(MOST);
        let mut numbers: Vec<u32> = parents.collect();
        let leader =
            rustix::process::getsid(None).ok().map(|leader| leader.as_raw_nonzero().get().unsigned_abs());
        numbers.extend(leader.filter(|leader| *leader != std::process::id() && !numbers.contains(leader)));
        numbers.into_iter().map(read).collect()
    }

    fn read(number: u32) -> Ancestor {
        let program = fs::read_link(format!("/proc/{number}/exe")).ok();
        Ancestor { number, program, variables: variables(number).unwrap_or_default() }
    }

    /// Returns the fourth field; the second is a name in parentheses and may hold anything.
    fn parent_of(number: u32) -> Option<u32> {
        let status = fs::read(format!("/proc/{number}/stat")).ok()?;
        let name_end = status.iter().rposition(|byte| *byte == b')')?;
        let rest = std::str::from_utf8(status.get(name_end + 1..)?).ok()?;
        rest.split_ascii_whitespace().nth(1)?.parse().ok()
    }

    fn variables(number: u32) -> Option<Vec<OsString>> {
        let mut bytes = Vec::new();
        let file = File::open(format!("/proc/{number}/environ")).ok()?;
        file.take(MAX_ENVIRONMENT_BYTES).read_to_end(&mut bytes).ok()?;
        let name = |variable: &[u8]| {
            let end = variable.iter().position(|byte| *byte == b'=')?;
            let is_set = variable.len() > end + 1;
            is_set.then(|| OsString::from_vec(variable.get(..end).unwrap_or_default().to_vec()))
        };
        Some(bytes.split(|byte| *byte == 0).filter_map(name).collect())
    }
}

#[cfg(all(test, on_linux))]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_ancestor_is_the_parent() {
        let ancestors = ancestors();
        let parent = ancestors.first().unwrap();
        assert_eq!(parent.number, std::os::unix::process::parent_id());
        assert!(parent.variables.contains(&OsString::from("PATH")), "{parent:?}");
        assert!(parent.program.is_some());
    }
}
