//! Commands that change the configured hooks, or end or remove hookbox.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// Returns the description of a command that removes hooks, takes hookbox out of an agent's settings, or weakens
/// hooks: `hookbox uninstall`, `setup --remove`, `disable`, `allow`, `hooks remove`, `hooks clear`.
pub(super) fn uninstall(call: &Call) -> Option<String> {
    match own_words(call)?.as_slice() {
        [verb, ..] if verb == "uninstall" => Some("takes hookbox out of an agent's settings".to_owned()),
        [verb, ..] if verb == "setup" && call.args().iter().any(|arg| is_removal(arg.as_str())) => {
            Some("takes hookbox out of every agent's settings".to_owned())
        }
        [verb, ..] if verb == "disable" => Some("switches hooks off".to_owned()),
        [verb, ..] if verb == "allow" => Some("lets a call pass that a hook stops".to_owned()),
        [verb, what, ..] if verb == "hooks" && matches!(what.as_str(), "remove" | "clear") => {
            Some("takes hooks out of an agent's settings".to_owned())
        }
        _ => None,
    }
}

/// Returns the description of a command that only the user may run: any that removes rules, or puts an untrusted
/// project's hooks into effect. These commands are refused whatever is configured, so commands that the user may well
/// ask an agent for (`install`, `check`) are not among them.
pub(crate) fn of_a_person(call: &Call) -> Option<String> {
    if let Some(what) = uninstall(call).or_else(|| take_away(call)) {
        return Some(what);
    }
    let words = own_words(call)?;
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let what = match words.as_slice() {
        ["trust", ..] if looks_at_trust(call.args(), &words) => return None,
        ["trust", ..] => "trusts hooks of a project",
        ["untrust", ..] => "takes trust back",
        ["enable", ..] => "switches hooks on",
        ["plugin", "add" | "update", ..] => "changes what plugins there are",
        ["plugin", "remove" | "gc", ..] => "takes plugins away",
        ["plugin", "signer", "add" | "remove", ..] => "changes whose signed plugins are accepted",
        _ => return None,
    };
    Some(what.to_owned())
}

/// `--remove`, whole or shortened.
fn is_removal(option: &str) -> bool {
    option.len() > 2 && "--remove".starts_with(option)
}

/// Verbs of `hookbox` that configure nothing.
const LOOKING: &[&str] = &[
    "check",
    "completions",
    // What it runs is judged as a command.
    "confine",
    "dialects",
    "doctor",
    "explain",
    "facts",
    "help",
    "list",
    "log",
    "man",
    "plugin",
    "run",
    "schema",
    "status",
    "version",
];

/// Returns the description of any other command that changes the configured hooks: `hookbox install`, `enable`, `hooks
/// add`, `import` into a file, and unknown verbs.
pub(super) fn install(call: &Call) -> Option<String> {
    if uninstall(call).is_some() {
        return None;
    }
    if gives_another_name(call) {
        return Some("gives hookbox's program another name".to_owned());
    }
    let words = own_words(call)?;
    let writes = |name: &str| call.args().iter().any(|arg| arg.as_str().starts_with(name));
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["plugin", "manifest", ..] => Some("changes a plugin's file".to_owned()),
        [verb, ..] if LOOKING.contains(verb) => None,
        ["import", ..] if writes("--output") || writes("-o") => {
            Some("writes a configuration of hooks".to_owned())
        }
        ["hooks", "list", ..] | ["import", ..] => None,
        _ => Some("changes what hooks there are".to_owned()),
    }
}

/// Returns true for `ln -s ~/.local/bin/hookbox hb`: commands under another name would go unnoticed.
fn gives_another_name(call: &Call) -> bool {
    if !call.is(&["cp", "gcp", "ln", "gln", "link"]) {
        return false;
    }
    let options = Options::parse(
        call.args(),
        Grammar { short: "tS", long: &["target-directory", "suffix"], anywhere: true },
    );
    let sources = match options.operands.as_slice() {
        [sources @ .., target] if !sources.is_empty() && !target.is_own_program() => sources,
        _ => return false,
    };
    let is_a_folder =
        options.has_letter("rRa") || options.has_long("--recursive") || options.has_long("--archive");
    !is_a_folder && !target_is_a_folder(&options.operands) && sources.iter().any(Arg::is_own_program)
}

/// Returns true if a copy keeps its name.
fn target_is_a_folder(operands: &[Arg]) -> bool {
    operands
        .last()
        .is_some_and(|target| target.as_str().ends_with('/') || matches!(target.as_str(), "." | ".."))
}

/// Returns the words that `hookbox` is passed, unless it only shows what it would do.
fn own_words(call: &Call) -> Option<Vec<String>> {
    if !call.is(&["hookbox"]) {
        return None;
    }
    let options = Options::parse(call.args(), Grammar::ANYWHERE);
    // Behind `--` nothing is an option.
    let before_dashes = Options::parse(in_front_of_dashes(call.args()), Grammar::ANYWHERE);
    let shows = before_dashes.has_letter("h")
        || before_dashes.has_long("--help")
        || before_dashes.has_long("--dry-run");
    let words: Vec<_> = options.operands.iter().map(|word| word.as_str().to_owned()).collect();
    (!shows && !words.is_empty()).then_some(words)
}

fn in_front_of_dashes(args: &[Arg]) -> &[Arg] {
    let dashes = args.iter().position(|arg| arg.as_str() == "--").unwrap_or(args.len());
    args.get(..dashes).unwrap_or_default()
}

/// `hookbox trust list`, `hookbox trust --review`. `hookbox trust -- list` trusts a hook that is called so.
fn looks_at_trust(args: &[Arg], words: &[&str]) -> bool {
    let before_dashes = in_front_of_dashes(args);
    let is_list = matches!(args, [trust, list, ..] if trust.as_str() == "trust" && list.as_str() == "list");
    (is_list && words.len() == 2) || before_dashes.iter().any(|arg| arg.as_str() == "--review")
}

/// The programs' names, one a part of the other.
const PROGRAM: &str = "hookbox";
/// A pattern of fewer letters is for something else.
const MIN_LETTERS: usize = 4;

/// Returns true if a name, or a pattern for processes, is meant for one of hookbox's programs.
pub(crate) fn is_own_program(pattern: &str) -> bool {
    let mut words = pattern.split(|c: char| !c.is_ascii_alphanumeric());
    words.any(|word| word.starts_with(PROGRAM) || (word.len() >= MIN_LETTERS && PROGRAM.contains(word)))
}

/// Commands that end processes by their names, and their short options with a value.
const ENDERS: &[(&str, &str)] = &[("killall", "sonuyt"), ("pkill", "FgGPstuU"), ("skill", ""), ("snice", "")];

/// `pkill hookbox`, `kill $(pidof hookbox)`, `systemctl stop hookbox`.
pub(super) fn end(call: &Call) -> Option<String> {
    let name = call.name();
    let ends = match name {
        "kill" => call.args().iter().any(|arg| arg.origin.own_processes),
        "systemctl" | "launchctl" | "service" | "rc-service" | "sv" => stops_service(call),
        _ => {
            let (_, short) = ENDERS.iter().find(|(known, _)| *known == name)?;
            let options = Options::parse(call.args(), Grammar { short, long: &["signal"], anywhere: true });
            options.operands.iter().any(|arg| is_own_program(&arg.plain()))
        }
    };
    ends.then(|| "ends hookbox".to_owned())
}

fn stops_service(call: &Call) -> bool {
    let stops = |arg: &Arg| {
        matches!(
            arg.as_str(),
            "stop" | "disable" | "mask" | "kill" | "unload" | "bootout" | "remove" | "down" | "freeze"
        )
    };
    call.args().iter().any(stops) && call.args().iter().any(|arg| is_own_program(&arg.plain()))
}

/// Words that make a package manager take something away.
const REMOVALS: &[&str] = &[
    "-e",
    "--delete",
    "--purge",
    "--remove",
    "--uninstall",
    "autoremove",
    "del",
    "delete",
    "erase",
    "purge",
    "remove",
    "rm",
    "un",
    "uninstall",
    "unlink",
    "zap",
];
/// Package managers.
const MANAGERS: &[&str] = &[
    "apk", "apt", "apt-get", "aptitude", "asdf", "brew", "bun", "cargo", "conda", "dnf", "dpkg", "emerge",
    "flatpak", "guix", "mamba", "mise", "nix", "nix-env", "npm", "pacman", "paru", "pip", "pip3", "pipx",
    "pixi", "pkg", "pnpm", "port", "rpm", "scoop", "snap", "uv", "winget", "yarn", "yay", "yum", "zypper",
];

/// `cargo uninstall hookbox`.
pub(super) fn take_away(call: &Call) -> Option<String> {
    if !call.is(MANAGERS) {
        return None;
    }
    let removes = |arg: &Arg| {
        let text = arg.as_str();
        // `pacman -Rns`, `dpkg -r`, `rpm -e`
        let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-'));
        let short = letters.is_some_and(|letters| {
            letters.starts_with(['R', 'e']) || (call.is(&["dpkg"]) && letters.contains(['r', 'P']))
        });
        short || REMOVALS.contains(&text)
    };
    let names = |arg: &Arg| {
        let plain = arg.plain();
        let name = plain.rsplit(['/', '#']).next().unwrap_or_default();
        name.strip_prefix(PROGRAM)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['@', '=', ':', '*', '-']))
    };
    let hit = call.args().iter().any(removes) && call.args().iter().any(names);
    hit.then(|| "takes hookbox away".to_owned())
}
