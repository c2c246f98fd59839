//! A throw-away home and project around the built command.
//!
//! `[HOME]`, `[PROJECT]`, `[GUESTS]`, `[PLUGINS]`, `[SHIPPED]`, `[CACHE]` and `[BIN]` stand for folders, in inputs and outputs; `[TIME]`
//! for a measured duration.

use std::{
    env, fmt, fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
};

use hookbox::{
    Sha256Digest,
    sandbox::engine_settings::{SETTINGS, WASMTIME},
};
use tempfile::TempDir;

use crate::guests;

#[path = "long_ago.rs"]
mod long_ago;

/// The command under test.
pub(crate) const HOOKBOX: &str = env!("CARGO_BIN_EXE_hookbox");
/// Path of the administrator's configuration.
const MANAGED: &str = "/etc/hookbox/hooks.toml";

/// A home folder and a project, with an otherwise empty environment.
pub(crate) struct TestBed {
    folder: TempDir,
    /// The folder of the programs and their files, for this user alone.
    private: PathBuf,
    program: PathBuf,
    cache: PathBuf,
    variables: Vec<(String, String)>,
}

/// hookbox's programs.
const PROGRAMS: [&str; 4] = ["hookbox", "hookbox-author", "hookbox-bundle", "hookbox-compile"];
/// Folders with files that only the user or a command of hookbox changes.
const OF_USER: [&str; 2] = ["[HOME]/.config/hookbox", "[HOME]/.local/state/hookbox"];
/// The verbs that agents start.
const FOR_AGENTS: [&str; 3] = ["run", "bus", "control"];
/// The verbs that check who could change the program.
const OF_PROGRAM: [&str; 4] = ["install", "setup", "doctor", "status"];

/// Result of a command.
pub(crate) struct Ran {
    /// The exit code; -1 for a signal.
    pub(crate) code: i32,
    /// Standard output with folders and times replaced.
    pub(crate) stdout: String,
    /// Standard error with folders and times replaced.
    pub(crate) stderr: String,
}

impl fmt::Display for Ran {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "exit code {}\n--- stdout\n{}--- stderr\n{}", self.code, self.stdout, self.stderr)
    }
}

impl TestBed {
    /// Creates a test bed without configuration, with native code in a cache that all tests share.
    pub(crate) fn new() -> Self {
        assert!(
            !Path::new(MANAGED).exists(),
            "this machine has a {MANAGED}, which would change every answer"
        );
        let folder = TempDir::new().unwrap();
        // A repository ends the search for a project's configuration.
        fs::create_dir_all(folder.path().join("project/.git")).unwrap();
        let configuration = folder.path().join("home/.config/hookbox");
        fs::create_dir_all(&configuration).unwrap();
        long_ago::settle_file(&configuration);
        let (mut private, mut program, mut cache) =
            (target_folder().to_owned(), PathBuf::from(HOOKBOX), shared_folder("cache"));
        if !is_plain(&private) {
            private = linked_programs(folder.path());
            program = private.join("bin/hookbox");
            cache = private.join("cache");
        }
        Self { folder, private, program, cache, variables: Vec::new() }
    }

    /// Creates a test bed with this configuration of the user.
    pub(crate) fn with_config(config: &str) -> Self {
        let bed = Self::new();
        bed.write_file("[HOME]/.config/hookbox/hooks.toml", config);
        bed
    }

    /// Uses a separate cache, empty at first.
    pub(crate) fn with_own_cache(mut self) -> Self {
        self.cache = self.folder.path().join("home/.cache");
        self
    }

    /// Adds a variable to the environment.
    pub(crate) fn with_variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Uses a copy of the command alone in its folder, without the compiler.
    pub(crate) fn without_compiler(mut self) -> Self {
        let program = self.folder.path().join("bin/hookbox");
        fs::create_dir_all(program.parent().unwrap()).unwrap();
        fs::copy(HOOKBOX, &program).unwrap();
        self.program = program;
        self
    }

    /// Puts the command and its compiler in a folder of their own, together with this program.
    pub(crate) fn with_program_beside(mut self, name: &str, text: &str) -> Self {
        let bin = self.folder.path().join("bin");
        link_files(built_programs(), &bin, |name| ["hookbox", "hookbox-compile"].contains(&name));
        let beside = bin.join(name);
        fs::write(&beside, text).unwrap();
        fs::set_permissions(&beside, fs::Permissions::from_mode(0o755)).unwrap();
        self.program = bin.join("hookbox");
        self
    }

    /// Returns the path of the command.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Uses a separate installation: `bin` with the command and its compiler, and in `share` the shipped plugins.
    pub(crate) fn with_own_installation(mut self) -> Self {
        let (bin, share) = (self.folder.path().join("bin"), self.resolve_path("[SHIPPED]"));
        let programs = Path::new(HOOKBOX).parent().unwrap();
        self.program = bin.join("hookbox");
        let shipped = self.resolve_path("[SHIPPED]");
        fs::create_dir_all(&bin).unwrap();
        fs::create_dir_all(&shipped).unwrap();
        for program in ["hookbox", "hookbox-compile"] {
            fs::copy(programs.join(program), bin.join(program)).unwrap();
        }
        for entry in fs::read_dir(share).unwrap().map(Result::unwrap) {
            fs::copy(entry.path(), shipped.join(entry.file_name())).unwrap();
        }
        self
    }

    /// Returns the path of `name`, with placeholders.
    ///
    /// The path of a file that only the user or a command of hookbox changes ends all sessions: between them, the user may change it.
    pub(crate) fn resolve_path(&self, name: &str) -> PathBuf {
        if OF_USER.iter().any(|folder| name.starts_with(folder)) {
            let notes = self.expand_placeholders("[HOME]/.local/state/hookbox/sessions");
            drop(fs::remove_dir_all(notes));
        }
        self.expand_placeholders(name).into()
    }

    /// Writes a file, its placeholders replaced, and makes the guests that it names.
    pub(crate) fn write_file(&self, name: &str, text: &str) -> PathBuf {
        make_named_guests(text);
        self.write_bytes(name, self.expand_placeholders(text).as_bytes())
    }

    /// Writes a file verbatim.
    pub(crate) fn write_bytes(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.resolve_path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        long_ago::settle_file(&path);
        path
    }

    /// Returns the command with these arguments, in the project, in an environment of its own.
    pub(crate) fn build_command(&self, arguments: &[&str]) -> Command {
        let Some((verb, rest)) = arguments.split_first() else { return self.bare_command(arguments) };
        let places = self.list_place_options(verb);
        let words = [*verb].into_iter().chain(places.iter().map(String::as_str)).chain(rest.iter().copied());
        self.bare_command(&words.collect::<Vec<_>>())
    }

    /// Returns the command with only these arguments.
    pub(crate) fn bare_command(&self, arguments: &[&str]) -> Command {
        self.command_of(&self.program, arguments)
    }

    /// Returns a shell that may start the command as `"$0" run`, or with any other verb.
    pub(crate) fn build_shell_command(&self, line: &str) -> Command {
        let verbs = FOR_AGENTS.iter().chain(&OF_PROGRAM);
        let line = verbs.fold(line.to_owned(), |line, verb| {
            let typed = format!("\"$0\" {verb}");
            let words = [&[typed.clone()][..], &self.list_place_options(verb)].concat();
            line.replace(&typed, &words.join(" "))
        });
        let mut command = self.command_of(Path::new("/bin/sh"), &["-c", &line]);
        command.arg(&self.program);
        command
    }

    /// Returns the options that every command with this verb gets. Commands that agents start read their places from arguments, as from an
    /// agent's entry, since they do not read the environment. Commands that write an entry would refuse the program where the clone is in a
    /// folder that others may write to.
    fn list_place_options(&self, verb: &str) -> Vec<String> {
        match verb {
            _ if FOR_AGENTS.contains(&verb) => ["--home", "[HOME]", "--cache-home", "[CACHE]"]
                .map(|word| self.expand_placeholders(word))
                .into(),
            _ if OF_PROGRAM.contains(&verb) => {
                vec!["--assume-private".to_owned(), self.private.display().to_string()]
            }
            _ => Vec::new(),
        }
    }

    /// Returns another program in the same environment.
    pub(crate) fn command_of(&self, program: &Path, arguments: &[&str]) -> Command {
        let home = self.resolve_path("[HOME]");
        let mut command = Command::new(program);
        command
            .args(arguments.iter().map(|argument| self.expand_placeholders(argument)))
            .current_dir(self.resolve_path("[PROJECT]"))
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", &home)
            .env("XDG_CONFIG_HOME", home.join(".config"))
            .env("XDG_STATE_HOME", home.join(".local/state"))
            .env("XDG_CACHE_HOME", &self.cache)
            .envs(env::var_os("TMPDIR").map(|folder| ("TMPDIR", folder)))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the command with empty standard input.
    pub(crate) fn run_hookbox(&self, arguments: &[&str]) -> Ran {
        self.run_with_input(&mut self.build_command(arguments), b"")
    }

    /// Gives an event of Claude Code, its placeholders replaced, to `hookbox run`.
    pub(crate) fn answer_event(&self, event: &str) -> Ran {
        self.answer_as("claude-code", event)
    }

    /// Sends an event of an agent.
    pub(crate) fn answer_as(&self, agent: &str, event: &str) -> Ran {
        self.run_with_input(
            &mut self.build_command(&["run", "--agent", agent]),
            self.expand_placeholders(event).as_bytes(),
        )
    }

    /// Runs a command with these bytes on its standard input; it may leave them unread.
    pub(crate) fn run_with_input(&self, command: &mut Command, input: &[u8]) -> Ran {
        let mut child = command.spawn().unwrap();
        let stdin = child.stdin.take().unwrap();
        thread::scope(|scope| {
            scope.spawn(move || drop((&stdin).write_all(input)));
            self.wait_for(child)
        })
    }

    /// Waits for a command.
    pub(crate) fn wait_for(&self, child: Child) -> Ran {
        let output = child.wait_with_output().unwrap();
        let text = |bytes: &[u8]| self.mask_paths(str::from_utf8(bytes).unwrap());
        Ran {
            code: output.status.code().unwrap_or(-1),
            stdout: text(&output.stdout),
            stderr: text(&output.stderr),
        }
    }

    /// Replaces placeholders by their folders.
    pub(crate) fn expand_placeholders(&self, text: &str) -> String {
        self.folders().iter().fold(text.to_owned(), |text, (name, path)| text.replace(name, path))
    }

    /// Replaces folders and times by placeholders, and removes warnings about the folder of the build.
    pub(crate) fn mask_paths(&self, text: &str) -> String {
        let text = self.folders().iter().fold(text.to_owned(), |text, (name, path)| text.replace(path, name));
        let of_build = format!("users who work in {} could change it", env!("CARGO_MANIFEST_DIR"));
        // Whether a plugin is compiled depends on the tests before.
        let is_told = |line: &&str| !line.contains(&of_build) && !line.starts_with("compiling ");
        let lines = text.split_inclusive('\n').filter(is_told);
        without_times(&lines.collect::<String>())
    }

    fn folders(&self) -> [(&'static str, String); 7] {
        let bin = self.program.parent().unwrap();
        let own = |name: &str| self.folder.path().join(name).display().to_string();
        [
            ("[HOME]", own("home")),
            ("[PROJECT]", own("project")),
            ("[GUESTS]", shared_folder("guests").display().to_string()),
            ("[PLUGINS]", guests::repository_folder("target/plugins").display().to_string()),
            ("[SHIPPED]", bin.parent().unwrap().join("share/hookbox/plugins").display().to_string()),
            ("[CACHE]", self.cache.display().to_string()),
            ("[BIN]", bin.display().to_string()),
        ]
    }
}

/// Returns a gate of this name that calls the guest of the same name before every tool call.
pub(crate) fn format_gate(guest: &str) -> String {
    gate_with(guest, "")
}

/// Returns the gate's configuration with more keys.
pub(crate) fn gate_with(guest: &str, keys: &str) -> String {
    let wasm = format!("wasm = {{ path = \"[GUESTS]/{guest}.wasm\" }}");
    format!("[[hook]]\nname = \"{guest}\"\non = \"tool.before\"\n{wasm}\n{keys}\n")
}

/// Returns a gate called `sh` that runs this command line before every tool call.
pub(crate) fn shell_gate(line: &str, keys: &str) -> String {
    format!("[[hook]]\nname = \"sh\"\non = \"tool.before\"\nshell = {{ command = '''{line}''' }}\n{keys}\n")
}

/// Claude Code is about to run `ls`.
pub(crate) const LS: &str = r#"{"session_id":"s","transcript_path":"/h/.claude/s.jsonl","cwd":"[PROJECT]",
    "hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"t"}"#;

/// Start of a Claude Code session: an event that cannot be blocked.
pub(crate) const START: &str = r#"{"session_id":"s","transcript_path":"/h/.claude/s.jsonl","cwd":"[PROJECT]",
    "hook_event_name":"SessionStart","source":"startup"}"#;

/// Returns the folder of the built programs.
fn built_programs() -> &'static Path {
    Path::new(HOOKBOX).parent().unwrap()
}

/// Returns true if no shell needs quotes for the path. hookbox refuses some entries with any other path, and quotes the others.
fn is_plain(path: &Path) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    path.to_str().is_some_and(|path| path.chars().all(is_plain))
}

/// Makes a folder below this one that has the content of the target folder, for a clone whose path is not plain. The cache stays the one
/// that all tests share.
fn linked_programs(folder: &Path) -> PathBuf {
    let (private, plugins) = (folder.join("clone"), "share/hookbox/plugins");
    link_files(built_programs(), &private.join("bin"), |name| PROGRAMS.contains(&name));
    link_files(&target_folder().join(plugins), &private.join(plugins), |_| true);
    fs::create_dir_all(shared_folder("cache")).unwrap();
    std::os::unix::fs::symlink(shared_folder("cache"), private.join("cache")).unwrap();
    private
}

/// Makes this folder, with the matching files of another folder.
fn link_files(from: &Path, to: &Path, is_meant: impl Fn(&str) -> bool) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).into_iter().flatten().map(|entry| entry.unwrap().path()) {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap();
        if file.is_file() && is_meant(name) {
            // The programs are large; where they cannot be hard linked, they are copied.
            let to = to.join(name);
            fs::hard_link(&file, &to).or_else(|_| fs::copy(&file, &to).map(drop)).unwrap();
        }
    }
}

/// Returns the folder of everything that is built.
fn target_folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}

/// Returns a folder that tests share, as long as the build exists.
fn shared_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(name)
}

/// Makes every guest that the text names, looks for every shipped plugin, and compiles both.
fn make_named_guests(text: &str) {
    for (folder, name) in text.split('"').filter_map(|word| word.strip_suffix(".wasm")?.split_once("]/")) {
        let folder = match folder {
            "[GUESTS" => {
                make_guest(name);
                shared_folder("guests")
            }
            "[PLUGINS" => guests::repository_folder("target/plugins"),
            _ => continue,
        };
        compile_plugin(&folder.join(format!("{name}.wasm")));
    }
    let shipped = Path::new(HOOKBOX).parent().unwrap().join("../share/hookbox/plugins");
    // This guest calls the plugin that computes facts.
    if text.contains("asks_facts") {
        compile_plugin(&shipped.join("shell-facts.wasm"));
    }
    for name in text.split("plugin = \"").skip(1).filter_map(|rest| rest.split('"').next()) {
        let path = shipped.join(format!("{name}.wasm"));
        if path.is_file() {
            compile_plugin(&path);
        }
    }
}

/// Compiles a plugin into the cache that tests share, unless an earlier test has: no test compiles within the time of an event.
fn compile_plugin(path: &Path) {
    let Ok(plugin) = fs::read(path) else { panic!("no {}; run `cargo xtask plugins`", path.display()) };
    let marker = format!("{SETTINGS}-{WASMTIME}-{}", Sha256Digest::of_content(&plugin).as_str());
    let marker = shared_folder("cache").join(marker);
    if marker.exists() {
        return;
    }
    let bed = TestBed::new();
    let hook = format!("[[hook]]\nname = \"it\"\non = \"*\"\nwasm = {{ path = '{}' }}\n", path.display());
    bed.write_bytes("[HOME]/.config/hookbox/hooks.toml", hook.as_bytes());
    // The test expects the failure of a guest that cannot be compiled.
    bed.run_hookbox(&["check"]);
    fs::create_dir_all(shared_folder("cache")).unwrap();
    fs::write(marker, "").unwrap();
}

/// Writes a guest's component, unless it exists: an unchanged file stays compiled.
fn make_guest(name: &str) {
    let path = shared_folder("guests").join(format!("{name}.wasm"));
    let component = guests::build_component(name);
    if fs::read(&path).is_ok_and(|bytes| bytes == component) {
        return;
    }
    let folder = path.parent().unwrap();
    fs::create_dir_all(folder).unwrap();
    let mut file = tempfile::NamedTempFile::new_in(folder).unwrap();
    file.write_all(&component).unwrap();
    file.persist(&path).unwrap();
}

/// Replaces the number in `in 3 ms` and `used 0.123 ms` by `[TIME]`.
fn without_times(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(" ms") {
        let (before, after) = rest.split_at(at);
        let words = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let measured = words.len() < before.len() && (words.ends_with(" in ") || words.ends_with("used "));
        shown.push_str(if measured { words } else { before });
        shown.push_str(if measured { "[TIME]" } else { " ms" });
        rest = &after[" ms".len()..];
    }
    shown + rest
}
