//! Links in a folder that a command changes: a program that follows them, or that receives their names by a pattern or a list,
//! changes the files that they lead to. A committed link in an untrusted clone may lead to hookbox's files.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fs,
    path::{Path, PathBuf},
};

use hookbox_platform::real_path::RealPath;

use super::{
    call::CallEffects,
    list_and_delete::is_end,
    relation::{ANY_FOLDERS, PatternMeaning},
    target::{Target, display_path},
    text::{name_of, remove_quotes, split_words},
};

/// Maximum number of entries of a call's folders that are examined.
const MOST_ENTRIES: usize = 1 << 16;
/// Programs that follow links below a folder, with the letters and words of the options for that.
const FOLLOWING: [(&[&str], &str, &[&str]); 8] = [
    (&["find", "gfind", "fd", "fdfind", "rg", "eza", "ls"], "L", &["-follow", "--follow"]),
    (&["grep", "egrep", "fgrep", "ggrep"], "R", &["--dereference-recursive"]),
    (&["ag"], "f", &["--follow"]),
    (&["chmod", "gchmod", "chown", "gchown", "chgrp", "gchgrp", "setfacl", "chcon"], "L", &["--logical"]),
    (&["cp", "gcp"], "", &["--keep-directory-symlink"]),
    (&["rsync"], "K", &["--keep-dirlinks", "--remove-source-files"]),
    (&["tar", "gtar", "bsdtar"], "h", &["--dereference", "--keep-directory-symlink"]),
    (&["zip"], "m", &["--move"]),
];

/// A search that ended at the limit, for a program that follows links.
pub(super) struct TooMany;

/// Returns true if a program of this command line follows links below a folder.
pub(super) fn are_followed(command: &str) -> bool {
    let text = remove_quotes(command);
    text.split(is_end).any(|simple| {
        let words: Vec<&str> = split_words(simple).collect();
        let follows = |(at, word): (usize, &&str)| {
            let (program, options) = (name_of(word), words.get(at + 1..).unwrap_or_default());
            FOLLOWING.iter().any(|known| known.0.contains(&program) && has_option(known, options))
        };
        words.iter().enumerate().any(follows)
    })
}

fn has_option((programs, letters, long): &(&[&str], &str, &[&str]), options: &[&str]) -> bool {
    // `tar xhf archive`
    let is_bundle = |at: usize| at == 0 && programs.contains(&"tar");
    options.iter().enumerate().any(|(at, option)| {
        let cluster =
            option.strip_prefix('-').or_else(|| is_bundle(at).then_some(*option)).unwrap_or_default();
        let is_cluster = cluster.bytes().all(|letter| letter.is_ascii_alphabetic());
        long.contains(option) || (is_cluster && cluster.contains(|letter| letters.contains(letter)))
    })
}

/// Returns the first link through which the call would change a file that `find_hit` protects, with its target, for display, and
/// the description of the file.
pub(super) fn find_led(
    writes: &CallEffects,
    find_hit: &dyn Fn(&Target) -> Option<&'static str>,
) -> Result<Option<(String, &'static str)>, TooMany> {
    let follows = writes.follows_links;
    let mut folders: BTreeMap<&Path, Vec<&Target>> = BTreeMap::new();
    for target in writes.targets.iter().filter(|target| reaches_below(target, follows)) {
        folders.entry(&target.way.path).or_default().push(target);
    }
    let mut left = MOST_ENTRIES;
    for (folder, targets) in folders {
        let depth = targets.iter().map(|target| count_levels(target, follows)).max().unwrap_or_default();
        let walk = Walk { depth, follows, checks: targets.len() };
        let led = walk_links(folder, &walk, &mut left, &mut |link| {
            let way = RealPath::resolve_path(link);
            let led = targets.iter().flat_map(|target| list_led(target, link, &way, follows));
            let what = led.into_iter().find_map(|led| find_hit(&led))?;
            Some((display_path(&format!("{} -> {}", link.display(), way.path.display())), what))
        });
        if led.is_some() {
            return Ok(led);
        }
    }
    if follows && left == 0 { Err(TooMany) } else { Ok(None) }
}

/// Returns true if entries below the target's folder are affected that may be links. A search of everything for names alone
/// would end at the limit.
fn reaches_below(target: &Target, follows: bool) -> bool {
    let has_entries = !target.rest.is_empty() || target.is_filled || (follows && target.is_whole);
    has_entries && !target.is_somewhere && (follows || target.way.path != Path::new("/"))
}

/// Returns the number of levels below the target's folder that are affected.
fn count_levels(target: &Target, follows: bool) -> usize {
    let is_any = |name: &String| name == ANY_FOLDERS || shell_commands::is_unknown(name);
    if follows || target.rest.is_empty() || target.rest.iter().any(is_any) {
        usize::MAX
    } else {
        target.rest.len()
    }
}

struct Walk {
    /// Number of levels below the folder.
    depth: usize,
    /// True if linked folders are searched, too.
    follows: bool,
    /// Number of targets that each link is compared with, which counts as that many entries.
    checks: usize,
}

/// Calls `visit` for the links below a folder until it returns a result, or until no entries are `left`.
fn walk_links<T>(
    start: &Path,
    walk: &Walk,
    left: &mut usize,
    visit: &mut dyn FnMut(&Path) -> Option<T>,
) -> Option<T> {
    let mut seen = BTreeSet::new();
    let mut folders: VecDeque<(PathBuf, usize)> = VecDeque::from([(start.to_owned(), walk.depth)]);
    while let Some((folder, depth)) = folders.pop_front() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let (path, kind) = (entry.path(), entry.file_type());
            let is_link = kind.as_ref().is_ok_and(fs::FileType::is_symlink);
            *left = left.saturating_sub(if is_link { walk.checks } else { 1 });
            if *left == 0 {
                return None;
            }
            if is_link {
                if let Some(result) = visit(&path) {
                    return Some(result);
                }
                let real = path.canonicalize().ok().filter(|real| walk.follows && real.is_dir());
                folders.extend(
                    real.filter(|real| !real.starts_with(start) && seen.insert(real.clone()))
                        .map(|real| (real, depth)),
                );
            } else if depth > 1 && kind.is_ok_and(|kind| kind.is_dir()) {
                folders.push_back((path, depth - 1));
            }
        }
    }
    None
}

/// Returns the targets behind a link: its own target if the link is among the affected entries, and entries below if the program
/// or the pattern goes through the link.
fn list_led(target: &Target, link: &Path, way: &RealPath, follows: bool) -> Vec<Target> {
    let name = link.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let led = |rest: Vec<String>, is_whole| Target {
        way: way.clone(),
        rest,
        is_whole,
        is_somewhere: false,
        shown: String::new(),
        ..*target
    };
    let last = target.rest.last().filter(|last| *last != ANY_FOLDERS);
    let is_meant =
        last.is_none_or(|last| PatternMeaning::Matched.matches_name(last, name.trim_start_matches('.')));
    let itself = is_meant.then(|| led(Vec::new(), follows && last.is_none()));
    let goes_through = follows || target.rest.first().is_some_and(|first| first != ANY_FOLDERS);
    let below = last.filter(|_| goes_through && target.rest.len() > 1);
    itself
        .into_iter()
        .chain(below.map(|last| led(vec![ANY_FOLDERS.to_owned(), last.clone()], false)))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn options_for_following_links_are_recognized() {
        for command in [
            "find -L . -delete",
            "sudo find . -follow -name x",
            "bash -c 'find -L . -exec rm {} +'",
            "find . -exec chmod -RL 000 {} +",
            "rsync -aK x/ .",
            "tar xhf x.tar",
            "tar -xhf x.tar",
            "grep -Rl x . | xargs sed -i s/x/y/",
            "cp -r --keep-directory-symlink x/. .",
        ] {
            assert!(are_followed(command), "{command}");
        }
        for command in [
            "curl -L https://h/x | tar xz",
            "rsync -aL . /tmp/x",
            "grep -rl x . | xargs sed -i s/x/y/",
            "find . -name L -exec chmod -R u+w {} +",
            "tar xf x.tar -C hosts",
            "cp -rL x y",
        ] {
            assert!(!are_followed(command), "{command}");
        }
    }

    #[test]
    fn links_below_a_folder_are_found_up_to_a_number_of_entries() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("a/b/c")).unwrap();
        fs::create_dir_all(root.join("other")).unwrap();
        symlink("..", root.join("a/b/up")).unwrap();
        symlink("../other", root.join("a/other")).unwrap();
        symlink("x", root.join("other/x")).unwrap();
        let find = |depth, follows, most| {
            let (mut names, mut left) = (BTreeSet::new(), most);
            walk_links(&root.join("a"), &Walk { depth, follows, checks: 1 }, &mut left, &mut |link| {
                names.insert(link.strip_prefix(&root).unwrap().to_string_lossy().into_owned());
                None::<()>
            });
            (names.into_iter().collect::<Vec<_>>().join(" "), left == 0)
        };
        assert_eq!(find(9, false, 9), ("a/b/up a/other".to_owned(), false));
        assert_eq!(find(1, false, 9), ("a/other".to_owned(), false));
        assert_eq!(find(9, true, 9), ("a/b/up a/other other/x".to_owned(), false));
        assert!(find(9, true, 2).1);
    }
}
