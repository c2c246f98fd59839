//! Targets of copies, moves and links.

use super::{PathEffect, Written, file};
use crate::{
    arg::{Arg, HOME, STAR, UNKNOWN},
    call::{Call, Options},
    target::{Target, classify},
};

/// Adds the possible paths of a copy to `written`: the target, or the source's name in the target.
pub(super) fn copied(name: &str, options: &Options, call: &Call, written: &mut Vec<Written>) {
    let folder = options.value(&["t", "--target-directory"]);
    let (target, sources) = match (folder, options.operands.split_last()) {
        (Some(folder), _) => (folder, options.operands.as_slice()),
        (None, Some((target, sources))) => (target, sources),
        (None, None) => return,
    };
    let copy = Copy::of(name, options, folder.is_some() || target.as_str().ends_with('/'));
    let contents = sources.iter().any(|source| gives_contents(name, source.as_str()));
    let into = Written::new(target.as_str(), copy.target(contents));
    let is_target = options.has_letter("T") || options.has_long("--no-target-directory");
    written.push(Written { unless_folder: !contents && !is_target, ..into });
    for source in sources {
        let own = source.as_str().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        // `host:file`
        let is_remote = matches!(name, "scp" | "rsync");
        let own = own.rsplit_once(':').filter(|_| is_remote).map_or(own, |(_, file)| file);
        let own = if copy.keeps_folders { below(source.as_str()) } else { own };
        let path = format!("{}/{own}", target.as_str());
        let how =
            if copy.unseen && is_worked_in(target, call) { PathEffect::Filled } else { PathEffect::Itself };
        written.push(Written::new(&path, how));
        if name == "mv" || (copy.takes_away && !is_remote_path(source.as_str())) {
            written.push(Written { how: PathEffect::Whole, ..file(source.as_str()) });
        }
    }
}

/// Effect of a command on its sources and its target.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
struct Copy {
    /// True if a folder's contents are taken, too.
    unseen: bool,
    /// True if entries of the target that the source lacks are deleted.
    deletes: bool,
    /// True if the target is replaced by the source.
    replaces: bool,
    /// True if the target is a folder that exists already.
    into: bool,
    moves: bool,
    /// True if the source is deleted after the copy.
    takes_away: bool,
    /// True if a copy keeps the folders of its source's path.
    keeps_folders: bool,
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
        let keeps_folders = match name {
            "cp" => options.has_long("--parents"),
            "rsync" => options.has_letter("R") || options.has_long("--relative"),
            _ => false,
        };
        Self {
            unseen: recursive,
            deletes,
            replaces: name == "ln",
            into,
            moves: name == "mv",
            takes_away: name == "rsync" && options.has_long("--remove-source-files"),
            keeps_folders,
        }
    }

    fn target(&self, contents: bool) -> PathEffect {
        if (self.replaces && !self.into) || (self.deletes && contents) {
            PathEffect::Whole
        } else if self.unseen && !(self.moves && self.into) {
            PathEffect::Filled
        } else {
            PathEffect::Itself
        }
    }
}

/// The part of a source's path that a copy has, too: behind `/./`, or all of it.
fn below(source: &str) -> &str {
    source.split_once("/./").map_or(source, |(_, rest)| rest).trim_start_matches(['/', HOME])
}

fn is_remote_path(source: &str) -> bool {
    source.split_once(':').is_some_and(|(host, _)| !host.contains('/'))
}

fn has_any(options: &Options, names: &[&str]) -> bool {
    names.iter().any(|name| options.has_long(name))
}

/// Returns true if a source stands for its contents.
fn gives_contents(name: &str, source: &str) -> bool {
    let last = source.rsplit('/').next().unwrap_or_default();
    (name == "rsync" && source.ends_with('/'))
        || matches!(last, "." | "..")
        || source.ends_with(STAR)
        || last.contains(UNKNOWN)
}

/// Returns true if an agent reads its settings in a folder: its own, one above that, and homes.
fn is_worked_in(folder: &Arg, call: &Call) -> bool {
    matches!(classify(folder.as_str(), call), Some(Target::Here | Target::Home | Target::Root))
}
