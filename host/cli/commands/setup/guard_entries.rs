//! The guards in the user's `hooks.toml`: added where they are missing, removed if they are unchanged since.

use std::path::{Path, PathBuf};

use hookbox::{
    HookSpec, ShippedPlugins, Target,
    hookfile::{Problem, Severity},
};
use hookbox_app::{
    install_record::OriginalFile,
    places::Places,
    settings_file::{Kind, Location},
    users_hooks,
};

use super::super::{
    agent_change::{CommandError, open_install_record, problem_error},
    change_consent,
};
use crate::{environment, printer::Printer, report};

/// A guard that every agent should call, and the lines of its hook.
struct Guard {
    plugin: &'static str,
    lines: &'static str,
}

/// The guards. They are removed only if they are unchanged: lines that the user has edited belong to the user.
const GUARDS: [Guard; 2] = [
    Guard {
        plugin: "guard-shell",
        lines: "\
# Judges what a shell command would do before it runs. (`hookbox setup` wrote this and takes it out again if it is unchanged.)
[[hook]]
name = \"guard-shell\"
on = \"tool.before\"
tool = { class = [\"shell\", \"mcp\"] }
wasm = { plugin = \"guard-shell\" }
",
    },
    Guard {
        plugin: "guard-paths",
        lines: "\
# Keeps tools and commands from secrets and from what decides over agents. (`hookbox setup` wrote this, too.)
[[hook]]
name = \"guard-paths\"
on = \"tool.before\"
tool = { class = [\"file-read\", \"file-write\", \"search\", \"shell\", \"mcp\"] }
wasm = { plugin = \"guard-paths\" }
",
    },
];

/// A change of the user's `hooks.toml`.
pub(super) struct GuardEntries {
    location: Location,
    found: Option<String>,
    text: String,
    is_removal: bool,
    before: Option<OriginalFile>,
    /// Remarks on guards that the user has switched off, or written in another way than setup would; they are left unchanged.
    pub(super) remarks: Vec<String>,
}

/// Prepares the change that adds the missing guards.
pub(super) fn prepare_install(places: &Places) -> Result<GuardEntries, CommandError> {
    let shipped = environment::shipped_plugins();
    check_guard_files(&shipped)?;
    let (location, path) = locate_file(places)?;
    let found = location.look().map_err(problem_error)?;
    let there = found.clone().unwrap_or_default();
    let loaded = users_hooks(&path, &shipped, there.clone());
    if let Some(problem) = find_error(&loaded.problems) {
        return Err(broken_file_error(&path, problem));
    }
    let (mut text, mut remarks) = (there, Vec::new());
    for guard in &GUARDS {
        let calls = |hook: &&HookSpec| is_plugin(&hook.target, guard.plugin);
        if loaded.hooks.iter().any(|hook| calls(&hook)) {
            continue;
        }
        match loaded.disabled.iter().find(calls) {
            Some(off) => remarks.push(switched_off(off, guard, &path)),
            None => append_lines(&mut text, guard.lines),
        }
    }
    // The new text is read before it is written, as hookbox would read it.
    if let Some(problem) = find_error(&users_hooks(&path, &shipped, text.clone()).problems) {
        return Err(does_not_fit(&path, problem));
    }
    let before = match found {
        None => OriginalFile::no_file(path.parent().unwrap_or(&path)),
        Some(_) => OriginalFile::Other,
    };
    Ok(GuardEntries { location, found, text, is_removal: false, before: Some(before), remarks })
}

/// Prepares the removal of the guards that setup wrote, and of the file if it was created for them and contains nothing else.
pub(super) fn prepare_uninstall(places: &Places) -> Result<GuardEntries, CommandError> {
    let (location, path) = locate_file(places)?;
    let found = location.look().map_err(problem_error)?;
    let (mut text, mut remarks) = (found.clone().unwrap_or_default(), Vec::new());
    for guard in &GUARDS {
        take_out(&mut text, guard.lines);
    }
    for guard in GUARDS.iter().filter(|guard| text.contains(guard.plugin)) {
        let path = report::sanitize_line(&path.display().to_string());
        remarks.push(format!("{path}: your entries for {} are kept", guard.plugin));
    }
    let before = open_install_record(places).and_then(|record| record.find_before(&path));
    let is_removal =
        matches!(before, Some(OriginalFile::NoFile(_))) && found.is_some() && text.trim().is_empty();
    Ok(GuardEntries { location, found, text, is_removal, before, remarks })
}

impl GuardEntries {
    pub(super) fn place(&self) -> String {
        report::sanitize_line(&self.location.path().display().to_string())
    }

    pub(super) fn is_nothing(&self) -> bool {
        !self.is_removal && self.found.as_deref().unwrap_or_default() == self.text
    }

    pub(super) fn show(&self, printer: &Printer) {
        let after = (!self.is_removal).then_some(self.text.as_str());
        change_consent::show_change(&self.place(), self.found.as_deref().unwrap_or_default(), after, printer);
    }

    /// Writes the file as a whole, and records its state before setup.
    pub(super) fn write(&self, places: &Places, printer: &Printer) -> Result<(), CommandError> {
        let found = self.found.as_deref().unwrap_or_default();
        if self.is_removal {
            self.location.remove_file(found, &self.text).map_err(problem_error)?;
        } else {
            self.location.replace_text(found, &self.text, Kind::Settings).map_err(problem_error)?;
        }
        printer.print_line(&format!(
            "{}: {}",
            if self.is_removal { "removed" } else { "written" },
            self.place()
        ));
        let (Some(record), Some(before)) = (open_install_record(places), self.before) else { return Ok(()) };
        let path = self.location.path();
        if self.is_removal {
            record.set_before(&path, None);
            before.remove_folders(path.parent().unwrap_or(&path));
        } else if before != OriginalFile::Other {
            record.set_before(&path, Some(before));
        }
        Ok(())
    }
}

/// Returns an error if the files of the guards are missing: hooks without them would not protect.
fn check_guard_files(shipped: &ShippedPlugins) -> Result<(), CommandError> {
    let folder = shipped.folder().display();
    let is_missing = |guard: &&Guard| !shipped.find(guard.plugin).is_some_and(|it| it.path.is_file());
    if let Some(guard) = GUARDS.iter().find(is_missing) {
        return Err(problem_error(format!(
            "the plugins that come with hookbox are not installed: {folder} has no {}.wasm; nothing was written. Put them there: \
             `install -D -m 644 -t {folder} target/share/hookbox/plugins/*.wasm` in the folder where hookbox was built",
            guard.plugin
        )));
    }
    match environment::find_compiler() {
        Some(compiler) if !compiler.is_file() => Err(problem_error(format!(
            "{} does not exist, so no plugin can be compiled; nothing was written. Install hookbox-compile next to hookbox",
            compiler.display()
        ))),
        _ => Ok(()),
    }
}

fn locate_file(places: &Places) -> Result<(Location, PathBuf), CommandError> {
    let path = places.user_config();
    let path = path.ok_or_else(|| problem_error("the home folder is unknown; set HOME"))?;
    Ok((Location::User(path.clone()), path))
}

fn find_error(problems: &[Problem]) -> Option<&Problem> {
    problems.iter().find(|problem| problem.severity == Severity::Error)
}

fn broken_file_error(path: &Path, error: &Problem) -> CommandError {
    problem_error(format!(
        "{} has an error, and hookbox denies everything until it is fixed; nothing was written. Fix it and run `hookbox setup` \
         again:\n{error}",
        path.display()
    ))
}

fn does_not_fit(path: &Path, error: &Problem) -> CommandError {
    let lines = GUARDS.map(|guard| guard.lines).join("\n");
    problem_error(format!(
        "{} would have an error with what setup adds; nothing was written:\n{error}\nWrite these hooks into it in your own way, \
         and run `hookbox setup` again:\n\n{lines}",
        path.display()
    ))
}

fn is_plugin(target: &Target, plugin: &str) -> bool {
    let Target::Wasm(wasm) = target else { return false };
    wasm.path.file_stem().is_some_and(|stem| stem == plugin)
}

fn switched_off(hook: &HookSpec, guard: &Guard, path: &Path) -> String {
    format!(
        "{} is switched off at {}:{}; take `enabled = false` out to have it",
        guard.plugin,
        report::sanitize_line(&path.display().to_string()),
        hook.origin.line
    )
}

/// Appends the lines, with an empty line between.
fn append_lines(text: &mut String, lines: &str) {
    if !text.is_empty() {
        text.push_str(if text.ends_with('\n') { "\n" } else { "\n\n" });
    }
    text.push_str(lines);
}

/// Removes the lines, and the empty one before them; unless they are followed by more of the hook.
fn take_out(text: &mut String, lines: &str) {
    let is_whole = |(at, _): &(usize, &str)| ends_there(text.get(at + lines.len()..).unwrap_or_default());
    let Some((at, _)) = text.match_indices(lines).find(is_whole) else { return };
    let before = text.get(..at).unwrap_or_default();
    let from = if before.ends_with("\n\n") || before == "\n" { at - 1 } else { at };
    text.replace_range(from..at + lines.len(), "");
}

/// Returns true if the hook's table ends here: the end of the text follows, or another table that is not part of the hook.
fn ends_there(behind: &str) -> bool {
    let has_content = |line: &&str| !line.is_empty() && !line.starts_with('#');
    let next = behind.lines().map(str::trim).find(has_content);
    next.is_none_or(|line| {
        let name = line.trim_start_matches('[').trim_start();
        // A quoted name may be another spelling of `hook`, whose subtable would lose its hook.
        line.starts_with('[') && !is_of_hook(name) && !name.starts_with('"')
    })
}

/// Returns true for `hook.config` and `hook . config`, which belong to the last hook.
fn is_of_hook(name: &str) -> bool {
    name.strip_prefix("hook").is_some_and(|rest| rest.trim_start().starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_taken_out_again_and_the_rest_is_as_it_was() {
        for before in ["", "# mine\n", "[[hook]]\nname = \"x\"\n", "# mine\n\n"] {
            let mut text = before.to_owned();
            for guard in &GUARDS {
                append_lines(&mut text, guard.lines);
            }
            assert!(text.starts_with(before) && text.contains("guard-paths"));
            for guard in &GUARDS {
                take_out(&mut text, guard.lines);
            }
            assert_eq!(text, before);
        }
    }

    #[test]
    fn a_hook_with_further_tables_stays_whole() {
        for more in [
            "[hook.config]\noff = [\"rm-root\"]\n",
            "\n# mine\non-failure = \"ask\"\n",
            "[ hook . config ]\n",
        ] {
            let mut text = format!("{}{more}", GUARDS[0].lines);
            let before = text.clone();
            take_out(&mut text, GUARDS[0].lines);
            assert_eq!(text, before);
        }
        let mut text = format!("{}\n[[hook]]\nname = \"mine\"\n", GUARDS[0].lines);
        take_out(&mut text, GUARDS[0].lines);
        assert_eq!(text, "\n[[hook]]\nname = \"mine\"\n");
    }

    #[test]
    fn lines_that_were_changed_stay() {
        let changed = GUARDS.map(|guard| guard.lines.replace("tool.before", "tool.*")).concat();
        let mut text = changed.clone();
        for guard in &GUARDS {
            take_out(&mut text, guard.lines);
        }
        assert_eq!(text, changed);
    }
}
