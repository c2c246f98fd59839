//! Files that a call would write, where its arguments show it.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use hookbox::model::{Event, ToolCall, ToolClass};
use hookbox_platform::real_path::RealPath;
use shell_commands::{Access, Touched, is_unknown};

use super::{
    links, list_and_delete,
    path_names::{list_names_anywhere, split_path, through_process},
    pattern,
    relation::ANY_FOLDERS,
    target::Target,
    text,
};

/// Maximum number of paths of one call that are checked.
const MOST: usize = 1 << 16;
/// Maximum number of commands of one call that are checked, each in each folder in which it may run.
const MOST_COMMANDS: usize = 1 << 14;
/// Longest path in a text, bytes. No system opens a longer one.
const MOST_PATH: usize = 4096;
/// Name of hookbox's folders.
const PROGRAM: &str = "hookbox";
/// Words in the names of tools that delete or move a path, with everything below it.
const REMOVING: [&str; 13] = [
    "clean",
    "clear",
    "delete",
    "empty",
    "erase",
    "move",
    "overwrite",
    "purge",
    "remove",
    "rename",
    "trash",
    "unlink",
    "wipe",
];
/// The reading command of an editor that is a single tool.
const VIEW: &str = "view";
/// Words in the names of tools whose command is typed into a running shell.
const TYPING: [&str; 5] = ["input", "keys", "send", "stdin", "write"];

#[derive(Default)]
pub(super) struct CallEffects {
    pub(super) targets: Vec<Target>,
    /// The command of hookbox that is reserved for the user.
    pub(super) reserved_command: Option<String>,
    /// True if a program of the call follows links below a folder.
    pub(super) follows_links: bool,
    /// True if a part of the call was too large to check.
    pub(super) is_cut: bool,
}

/// Marks the effect on a path.
type Mark = fn(&mut Target);

/// Returns the effects of an event's call; `None` if the event has no call.
pub(super) fn of_call(event: &Event, homes: &[PathBuf]) -> Option<CallEffects> {
    let tool = event.tool.as_ref()?;
    let mut call = Call { cwd: &event.cwd, homes: homes.to_owned(), writes: CallEffects::default() };
    match (tool.class, &tool.command) {
        // A shell tool without a command in a known argument is read by all its arguments.
        (ToolClass::Shell, Some(command)) => call.collect_shell_writes(tool, command),
        (ToolClass::FileWrite, _) => call.collect_file_writes(tool),
        _ => call.collect_argument_writes(tool),
    }
    Some(call.writes)
}

struct Call<'a> {
    cwd: &'a str,
    homes: Vec<PathBuf>,
    writes: CallEffects,
}

impl Call<'_> {
    /// Checks a shell call. Folders that it names are where it runs.
    fn collect_shell_writes(&mut self, tool: &ToolCall, command: &str) {
        let found = tool_arguments::read_whole(&tool.name, tool.input.as_str());
        let named: Vec<String> = tool.paths.iter().chain(&found.run_in).cloned().collect();
        let folders = if named.is_empty() { vec![self.cwd.to_owned()] } else { self.resolve_folders(&named) };
        // Text that is typed into a running shell contains key names.
        let typed = tool_arguments::typed(command).filter(|_| types_input(&tool.name));
        for command in [command].into_iter().chain(typed.as_deref()) {
            self.collect_command_writes(command, &folders);
        }
    }

    fn collect_file_writes(&mut self, tool: &ToolCall) {
        let found = tool_arguments::read_whole(&tool.name, tool.input.as_str());
        // `event.tool.paths` has no `..` any more, which behind a link is another place, and lacks paths with a home, URLs,
        // comparisons and paths that are nested deeper.
        self.add_paths(tool.paths.iter().chain(&found.paths), removes_files(&tool.name));
        self.writes.is_cut |= found.is_cut;
    }

    /// Checks a tool that is in no table, by its arguments.
    fn collect_argument_writes(&mut self, tool: &ToolCall) {
        let found = tool_arguments::read_whole(&tool.name, tool.input.as_str());
        // An editor that only shows a file.
        if tool.class == ToolClass::FileRead && found.commands.iter().any(|command| command.text == VIEW) {
            return;
        }
        // A tool that only reads may still be passed a command to run.
        let folders = self.resolve_folders(&found.folders(self.cwd));
        let most = MOST_COMMANDS / folders.len().max(1);
        for command in found.commands.iter().take(most) {
            self.collect_command_writes(&command.text, &folders);
        }
        self.writes.is_cut |= found.commands.len() > most;
        self.add_paths(found.embedded_paths.iter(), false);
        if found.only_reads(&tool.name) {
            return;
        }
        self.writes.is_cut |= found.is_cut;
        let removes = removes_files(found.tool.as_ref().unwrap_or(&tool.name)) || removes_files(&tool.name);
        self.add_paths(tool.paths.iter().chain(&found.paths).chain(&found.maybe_paths), removes);
    }

    fn add_paths<'p>(&mut self, paths: impl Iterator<Item = &'p String>, is_whole: bool) {
        for path in paths.collect::<BTreeSet<_>>() {
            if self.writes.is_cut {
                return;
            }
            self.add_path(path, is_whole);
            if pattern::is_one(path) {
                let patterns = pattern::of_tool(path, is_whole);
                self.writes.is_cut |= patterns.is_none();
                patterns.iter().flatten().for_each(|pattern| self.add_pattern((pattern, path), is_whole));
            }
        }
    }

    /// Adds a path that a tool may treat as a pattern of its own.
    fn add_pattern(&mut self, (pattern, path): (&str, &str), is_whole: bool) {
        let (known, rest) = split_path(pattern);
        for full in self.resolve_path(known) {
            self.add_target(Target { rest: rest.clone(), ..Target::of_tool(&full, is_whole, path) });
        }
    }

    fn collect_command_writes(&mut self, command: &str, folders: &[String]) {
        let names_hookbox = names_hookbox(command);
        for read in self.expand_command(command, names_hookbox) {
            for folder in folders {
                self.collect_writes_in((&read, names_hookbox), folder);
            }
        }
    }

    /// Returns the texts that a command may stand for, after the checks that work on the text alone.
    fn expand_command(&mut self, command: &str, names_hookbox: bool) -> Vec<String> {
        if command.len() > text::MOST_BYTES {
            self.writes.is_cut |= names_hookbox;
            return vec![command.to_owned()];
        }
        self.writes.reserved_command =
            self.writes.reserved_command.take().or_else(|| text::find_reserved_command(command));
        self.writes.is_cut |= names_hookbox && text::is_handed_on(command);
        self.writes.follows_links |= links::are_followed(command);
        if text::empties_home(command) {
            self.homes.push(PathBuf::from("/"));
        }
        let all = self.read_variants(command);
        for read in &all {
            self.add_named(read, names_hookbox);
        }
        // Without the readings in which the home folder is filled in.
        let walked = text::sets_home(command).then(|| text::expand_home(command, &[])).flatten();
        walked.unwrap_or(all)
    }

    fn read_variants(&mut self, command: &str) -> Vec<String> {
        let read = text::expand_home(command, &self.homes);
        self.writes.is_cut |= read.is_none();
        read.unwrap_or_else(|| vec![command.to_owned()])
    }

    /// Adds paths that only the text shows.
    fn add_named(&mut self, read: &str, names_hookbox: bool) {
        let ways: [(Vec<String>, Mark); 4] = [
            (text::find_handed_paths(read), |target| target.is_perhaps = true),
            (list_and_delete::find_swept(read), |target| target.is_whole = true),
            (text::find_filled_folders(read), |target| target.is_filled = true),
            (text::find_coded_paths(read), |target| target.is_filled = true),
        ];
        for (paths, mark) in ways {
            let (paths, long): (BTreeSet<String>, BTreeSet<String>) =
                paths.into_iter().partition(|path| path.len() <= MOST_PATH);
            // A list of many paths is a long value, too; and a program may shorten a path before it opens it.
            self.writes.is_cut |= names_hookbox && !long.is_empty();
            for path in &paths {
                for full in self.resolve_path(path) {
                    let mut target = Target::of_tool(&full, false, path);
                    mark(&mut target);
                    self.add_target(target);
                }
            }
        }
    }

    /// Returns the folders that these names lead to, without duplicates. A name with an unknown beginning stays as it is.
    fn resolve_folders(&self, named: &[String]) -> Vec<String> {
        let full = |folder: &String| {
            let meant = self.resolve_path(folder);
            let full: Vec<_> = meant.iter().map(|full| full.to_string_lossy().into_owned()).collect();
            if full.is_empty() { vec![folder.clone()] } else { full }
        };
        let mut folders: Vec<String> = named.iter().flat_map(full).collect();
        folders.sort();
        folders.dedup();
        folders
    }

    fn add_path(&mut self, path: &str, is_whole: bool) {
        // Some tools take `file:///path` for a path.
        let local = tool_arguments::local_path(path);
        let path = local.as_deref().unwrap_or(path);
        for full in self.resolve_path(path) {
            self.add_target(Target::of_tool(&full, is_whole, path));
        }
        if let Some(rest) = through_process(path) {
            self.add_target(Target {
                rest,
                is_somewhere: true,
                ..Target::of_tool(Path::new("/"), is_whole, path)
            });
        }
    }

    fn collect_writes_in(&mut self, (command, names_hookbox): (&str, bool), folder: &str) {
        // Without a workspace `~` stays unresolved: the home is known here.
        let files = shell_commands::files(command, folder, "");
        self.writes.reserved_command = self.writes.reserved_command.take().or(files.of_a_person);
        self.writes.is_cut |= files.is_cut && names_hookbox;
        for touched in &files.touched {
            self.add_touched(touched, names_hookbox);
        }
    }

    fn add_touched(&mut self, touched: &Touched, names_hookbox: bool) {
        let is_made = match touched.access {
            // A program on no list may do anything with a file of hookbox's, so it is treated as a write.
            Access::Write | Access::Give | Access::Restore => false,
            Access::Make | Access::Folder | Access::Alias => true,
            Access::Read | Access::Use => return,
        };
        let (known, rest) = split_path(&touched.path);
        for (full, rest, is_somewhere) in self.list_possible_places(touched, known, &rest, names_hookbox) {
            // The link itself, not its target: the link may be replaced.
            let is_folder = || rest.is_empty() && full.symlink_metadata().is_ok_and(|found| found.is_dir());
            let is_so = !(touched.is_unless_folder && is_folder());
            self.add_target(Target {
                way: RealPath::resolve_path(&full),
                rest,
                is_somewhere,
                is_whole: touched.is_whole && is_so,
                is_made,
                is_perhaps: touched.access == Access::Give || touched.is_some_below(),
                is_filled: touched.is_filled && is_so,
                is_restored: touched.access == Access::Restore,
                // Patterns in their readable form.
                shown: touched.shown.replace(ANY_FOLDERS, "**"),
            });
        }
    }

    /// Returns the places that a command's path may lead to: the start, the names behind it, and whether these are in an
    /// unknown folder.
    fn list_possible_places(
        &self,
        touched: &Touched,
        known: &str,
        rest: &[String],
        names_hookbox: bool,
    ) -> Vec<(PathBuf, Vec<String>, bool)> {
        let is_somewhere = !touched.path.starts_with(['/', '~']);
        if is_somewhere && known.is_empty() && !rest.is_empty() {
            let known = rest.split_first().filter(|(folder, _)| names_hookbox && is_unknown(folder));
            let names = known.map(|(_, names)| names.join("/")).filter(|names| {
                // Everything in an unknown folder: `cd "$BUILD" && rm -rf *`.
                !names.is_empty() && !shell_commands::is_pattern(names)
            });
            return names
                .map(|names| (PathBuf::from("/"), list_names_anywhere(&names), true))
                .into_iter()
                .collect();
        }
        let anywhere = (is_somewhere && rest.is_empty() && names_hookbox)
            .then(|| (PathBuf::from("/"), list_names_anywhere(known), true));
        // In a line that names hookbox, an unknown name may be hookbox's.
        let named = (names_hookbox && rest.iter().any(|name| is_unknown(name))).then(|| {
            let named = |name: &String| if is_unknown(name) { PROGRAM.to_owned() } else { name.clone() };
            rest.iter().map(named).collect::<Vec<_>>()
        });
        let rests = [Some(rest.to_vec()), named].into_iter().flatten();
        let meant = self.resolve_path(known);
        let meant = rests.flat_map(|rest| meant.iter().map(move |full| (full.clone(), rest.clone(), false)));
        let through =
            through_process(known).map(|names| (PathBuf::from("/"), [names, rest.to_vec()].concat(), true));
        meant.chain(anywhere).chain(through).collect()
    }

    fn add_target(&mut self, target: Target) {
        if self.writes.targets.len() < MOST {
            self.writes.targets.push(target);
        } else {
            self.writes.is_cut = true;
        }
    }

    /// Returns the absolute paths that a path may mean; none if its beginning is unknown.
    fn resolve_path(&self, path: &str) -> Vec<PathBuf> {
        match path.strip_prefix('~') {
            Some(below) if below.is_empty() || below.starts_with('/') => {
                self.homes.iter().map(|home| home.join(below.trim_start_matches('/'))).collect()
            }
            _ => Some(Path::new(self.cwd).join(path)).filter(|path| path.is_absolute()).into_iter().collect(),
        }
    }
}

/// Returns true if a text that was not read completely names hookbox. One that does not is far more often a long file than a
/// hidden command.
fn names_hookbox(command: &str) -> bool {
    // Quotes, backslashes and other marks between the letters (`hook""box`) do not hide the name.
    let letters =
        command.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase());
    letters.collect::<String>().contains(PROGRAM)
}

fn removes_files(tool: &str) -> bool {
    has_word(tool, &REMOVING)
}

/// Returns true if a tool of this name types into a running shell.
fn types_input(tool: &str) -> bool {
    has_word(tool, &TYPING)
}

fn has_word(tool: &str, words: &[&str]) -> bool {
    let name = tool.to_lowercase();
    words.iter().any(|word| name.contains(word))
}
