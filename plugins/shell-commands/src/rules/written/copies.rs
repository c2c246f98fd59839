//! What copies, moves and links put where.

use super::{How, Written, file};
use crate::{
    arg::{Arg, STAR},
    call::{Call, Options},
    target::{Target, classify},
};

/// A copy is called as its target says, or lies in it under its own name.
pub(super) fn copied(name: &str, options: &Options, call: &Call, written: &mut Vec<Written>) {
    let folder = options.value(&["t", "--target-directory"]);
    let (target, sources) = match (folder, options.operands.split_last()) {
        (Some(folder), _) => (folder, options.operands.as_slice()),
        (None, Some((target, sources))) => (target, sources),
        (None, None) => return,
    };
    let copy = Copy::of(name, options, folder.is_some() || target.as_str().ends_with('/'));
    let contents = sources.iter().any(|source| gives_contents(name, source.as_str()));
    written.push(Written::new(target.as_str(), copy.target(contents)));
    for source in sources {
        let own = source.as_str().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        // `host:file`
        let is_remote = matches!(name, "scp" | "rsync");
        let own = own.rsplit_once(':').filter(|_| is_remote).map_or(own, |(_, file)| file);
        let path = format!("{}/{own}", target.as_str());
        let how = if copy.unseen && is_worked_in(target, call) { How::Filled } else { How::Itself };
        written.push(Written::new(&path, how));
        if name == "mv" {
            written.push(Written { how: How::Whole, ..file(source.as_str()) });
        }
    }
}

/// What a command does with what it finds.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Copy {
    /// Whether it takes what is below a folder, too.
    unseen: bool,
    /// Whether it deletes in the target what the source has not.
    deletes: bool,
    /// Whether the target becomes what the source is.
    replaces: bool,
    /// Whether the target is a folder that is there already.
    into: bool,
    moves: bool,
}

impl Copy {
    fn of(name: &str, options: &Options, into: bool) -> Self {
        let recursive = match name {
            "mv" => true,
            "cp" | "scp" => options.has_letter("rRa") || has_any(options, &["--recursive", "--archive"]),
            "rsync" => options.has_letter("ra") || has_any(options, &["--recursive", "--archive"]),
            _ => false,
        };
        let deletes = name == "rsync" && options.given.iter().any(|(name, _)| name.starts_with("--del"));
        Self { unseen: recursive, deletes, replaces: name == "ln", into, moves: name == "mv" }
    }

    fn target(&self, contents: bool) -> How {
        if (self.replaces && !self.into) || (self.deletes && contents) {
            How::Whole
        } else if self.unseen && !(self.moves && self.into) {
            How::Filled
        } else {
            How::Itself
        }
    }
}

fn has_any(options: &Options, names: &[&str]) -> bool {
    names.iter().any(|name| options.has_long(name))
}

/// Whether a source stands for what is in it.
fn gives_contents(name: &str, source: &str) -> bool {
    (name == "rsync" && source.ends_with('/')) || source.ends_with("/.") || source.ends_with(STAR)
}

/// Whether an agent reads its settings in a folder: its own, one above that, and homes.
fn is_worked_in(folder: &Arg, call: &Call) -> bool {
    matches!(classify(folder.as_str(), call), Some(Target::Here | Target::Home | Target::Root))
}
