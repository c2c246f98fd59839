//! WebAssembly proposals that are off by default, and which a hook of the user's own may be given.

use crate::words::words;

words! {
    /// A proposal.
    pub enum Proposal {
        /// Structs and arrays that the engine keeps: Kotlin, Dart, Java, OCaml.
        Gc = "gc",
        /// Exceptions that unwind a guest's own frames.
        Exceptions = "exceptions",
    }
}

/// Proposals enabled for a hook.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Proposals {
    gc: bool,
    exceptions: bool,
}

impl Proposals {
    /// No proposals, as for nearly every hook.
    pub const NONE: Self = Self { gc: false, exceptions: false };

    /// Returns true if no proposal is enabled.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// Returns true if this proposal is enabled.
    pub fn is_enabled(self, proposal: Proposal) -> bool {
        match proposal {
            Proposal::Gc => self.gc,
            Proposal::Exceptions => self.exceptions,
        }
    }

    /// Returns their names, separated by commas.
    pub fn names(self) -> String {
        let names: Vec<_> =
            Proposal::ALL.into_iter().filter(|one| self.is_enabled(*one)).map(Proposal::as_str).collect();
        names.join(",")
    }

    /// Returns the proposals with these comma-separated names.
    pub fn from_names(names: &str) -> Option<Self> {
        names.split(',').map(Proposal::named).collect()
    }
}

impl FromIterator<Proposal> for Proposals {
    fn from_iter<I: IntoIterator<Item = Proposal>>(proposals: I) -> Self {
        proposals.into_iter().fold(Self::NONE, |all, one| match one {
            Proposal::Gc => Self { gc: true, ..all },
            Proposal::Exceptions => Self { exceptions: true, ..all },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for proposals in [vec![Proposal::Gc], vec![Proposal::Exceptions], Proposal::ALL.to_vec()] {
            let proposals: Proposals = proposals.into_iter().collect();
            assert_eq!(Proposals::from_names(&proposals.names()), Some(proposals));
        }
        assert_eq!(Proposals::from_names("gc,threads"), None);
        assert_eq!(Proposals::from_names(""), None);
    }
}
