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
pub fn list_ancestors() -> Vec<Ancestor> {
    #[cfg(on_linux)]
    return linux::list_ancestors();
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

    pub(super) fn list_ancestors() -> Vec<Ancestor> {
        let parent = |number: &u32| read_status(&number.to_string()).and_then(|status| status.parent);
        // Processes end and numbers are reused during the walk, so the chain may contain a cycle.
        let parents = std::iter::successors(parent(&std::process::id()), parent).take(MOST);
        let mut numbers: Vec<u32> = parents.collect();
        let leader = read_status("self").and_then(|status| status.session_leader);
        numbers.extend(leader.filter(|leader| *leader != std::process::id() && !numbers.contains(leader)));
        numbers.into_iter().map(read_ancestor).collect()
    }

    fn read_ancestor(number: u32) -> Ancestor {
        let program = fs::read_link(format!("/proc/{number}/exe")).ok();
        Ancestor { number, program, variables: read_variables(number).unwrap_or_default() }
    }

    fn read_status(process: &str) -> Option<Status> {
        Status::parse(&fs::read(format!("/proc/{process}/stat")).ok()?)
    }

    /// The relatives of a process by its `stat` file. The kernel writes 0 for a process outside this process's PID namespace, as for the
    /// leader of the session in which a container was started.
    #[derive(Debug, PartialEq)]
    pub(super) struct Status {
        parent: Option<u32>,
        session_leader: Option<u32>,
    }

    impl Status {
        /// Reads the fourth and the sixth field; the second is a name in parentheses and may hold anything.
        pub(super) fn parse(stat: &[u8]) -> Option<Self> {
            let name_end = stat.iter().rposition(|byte| *byte == b')')?;
            let rest = std::str::from_utf8(stat.get(name_end + 1..)?).ok()?;
            let mut fields = rest.split_ascii_whitespace().skip(1).step_by(2);
            let mut number = || Some(fields.next()?.parse().ok().filter(|number| *number != 0));
            Some(Self { parent: number()?, session_leader: number()? })
        }
    }

    fn read_variables(number: u32) -> Option<Vec<OsString>> {
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
    use super::{linux::Status, *};

    #[test]
    fn a_session_leader_outside_the_pid_namespace_is_ignored() {
        let status = Status::parse(b"12 (a) 3 (b) S 7 12 0 0 -1 4194560").unwrap();
        assert_eq!(format!("{status:?}"), "Status { parent: Some(7), session_leader: None }");
        let status = Status::parse(b"1 (init) S 0 1 1 0 -1 4194560").unwrap();
        assert_eq!(format!("{status:?}"), "Status { parent: None, session_leader: Some(1) }");
    }

    #[test]
    fn the_nearest_ancestor_is_the_parent() {
        let ancestors = list_ancestors();
        let parent = ancestors.first().unwrap();
        assert_eq!(parent.number, std::os::unix::process::parent_id());
        assert!(parent.variables.contains(&OsString::from("PATH")), "{parent:?}");
        assert!(parent.program.is_some());
    }
}
