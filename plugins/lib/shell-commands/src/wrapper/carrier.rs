//! Programs that give one of their arguments to a shell, among others that are only text.

use std::collections::HashSet;

use super::{
    Wrapped, awk, clients,
    coded::{codes, is_coded},
    foreign,
    handed::{self, changed_to},
    lisp, make, sed, typed,
};
use crate::{
    arg::{Arg, UNKNOWN},
    call::{Call, Grammar, Options},
};

/// Programs any argument of which may be a command.
const ANY: &[&str] = &[
    "at",
    "compgen",
    "complete",
    "emacs",
    "expect",
    "gdb",
    "lldb",
    "mapfile",
    "readarray",
    "screen",
    "tmux",
];
/// Editors whose commands are `:` commands.
const EDITORS: &[&str] = &["ex", "gvim", "nvim", "rvim", "vi", "view", "vim", "vimdiff"];
/// Options with a command behind their `=`.
const OPTIONS: &[&str] = &[
    "--to-command=",
    "--checkpoint-action=exec=",
    "--use-compress-program=",
    "--info-script=",
    "--new-volume-script=",
    "--rsh=",
    "--rsh-command=",
    "--use-askpass=",
    "--rsync-path=",
    "--pager=",
    "--preprocessor=",
    "--exec=",
    "--upload-pack=",
    "--receive-pack=",
    "--extcmd=",
    "--unzip-command=",
];
/// Programs that read code of their own kind.
const LANGUAGES: &[&str] = &["awk", "gawk", "mawk", "nawk"];
/// Variables whose value some program runs.
const VARIABLES: &[&str] = &[
    "BASH_ENV",
    "BROWSER",
    "CVS_RSH",
    "DYLD_INSERT_LIBRARIES",
    "EDITOR",
    "ENV",
    "FZF_DEFAULT_COMMAND",
    "GIT_ASKPASS",
    "GIT_EDITOR",
    "GIT_EXTERNAL_DIFF",
    "GIT_PAGER",
    "GIT_PROXY_COMMAND",
    "GIT_SEQUENCE_EDITOR",
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "HGEDITOR",
    "KUBECTL_EXTERNAL_DIFF",
    "KUBE_EDITOR",
    "LD_AUDIT",
    "LD_PRELOAD",
    "LESSCLOSE",
    "LESSOPEN",
    "MANPAGER",
    "PAGER",
    "PROMPT_COMMAND",
    "PS0",
    "PS1",
    "PS2",
    "PS4",
    "PSQL_EDITOR",
    "PSQL_PAGER",
    "RSYNC_RSH",
    "RUSTC_WORKSPACE_WRAPPER",
    "RUSTC_WRAPPER",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "SUDO_EDITOR",
    "SVN_EDITOR",
    "SVN_SSH",
    "SYSTEMD_EDITOR",
    "VISUAL",
];

/// Texts that the command may give to a shell.
pub(crate) fn carried(call: &Call) -> Vec<String> {
    let name = call.name();
    let mut texts: Vec<String> = call.args().iter().filter_map(option).collect();
    texts.extend(handed::commands(call));
    texts.extend(typed::lines(call));
    if lisp::runs_lisp(name) {
        texts.extend(codes(call).iter().flat_map(|code| lisp::commands(code)));
    }
    match name {
        "crontab" => texts.extend(make::of_cron(call)),
        "git" => {
            let given = git_options(call.args()).given.into_iter().filter(|(name, _)| name == "C");
            let folders: Vec<String> = given.filter_map(|(_, folder)| Some(folder?.plain())).collect();
            texts.extend(run_in(&folders, git(call.args())));
        }
        "make" | "gmake" => {
            let folders = handed::option_values(call.args(), &["-C", "--directory"]);
            texts.extend(run_in(&folders, make::of_make(call)));
        }
        "tar" | "gtar" | "bsdtar" => texts.extend(values(call.args(), &["I", "F", "--to-command"])),
        "rsync" => texts.extend(values(call.args(), &["e", "--rsh"])),
        "sed" | "gsed" => texts.extend(sed::commands(call.args())),
        name if clients::is_client(name) => texts.extend(clients::commands(call)),
        name if EDITORS.contains(&name) => {
            texts.extend(call.args().iter().flat_map(|arg| editor(&arg.plain())));
        }
        name if ANY.contains(&name) => texts.extend(call.args().iter().map(|arg| bare(&arg.plain()))),
        name if LANGUAGES.contains(&name) => {
            texts.extend(awk::awk_effects(call.args()).commands);
            texts.extend(call.args().iter().flat_map(|arg| foreign::commands(&arg.plain(), false)));
        }
        name if is_coded(name) => {
            let backquotes = ["perl", "ruby", "php"].iter().any(|language| name.starts_with(language));
            let stdin = call.stdin.text.iter().cloned();
            let words = call.args().iter().map(Arg::plain).chain(stdin);
            // Those in the word of an option are looked at again without it.
            let codes = words.chain(codes(call));
            texts.extend(codes.flat_map(|code| foreign::commands(&code, backquotes)));
        }
        _ => {}
    }
    // The same text once: code on the standard input is there in both ways to read a call.
    let mut seen = HashSet::new();
    texts.retain(|text| is_known(text) && seen.insert(text.clone()));
    texts
}

/// Returns true unless the text is a single word with an unknown part.
fn is_known(text: &str) -> bool {
    !text.contains(UNKNOWN) || text.contains(' ')
}

/// `+!command`, `:silent !command`, `:%!command`, `:call system('command')`.
fn editor(text: &str) -> Vec<String> {
    let mut texts = foreign::commands(text, false);
    texts.extend(text.split(['|', '\n']).filter_map(in_terminal));
    texts.extend(text.split_once('!').map(|(_, command)| command.to_owned()));
    texts
}

/// `:vertical term ++close command`
fn in_terminal(command: &str) -> Option<String> {
    let words: Vec<&str> = command.trim_start_matches([':', '+', ' ']).split_whitespace().collect();
    let is_terminal = |word: &&str| word.len() > 2 && "terminal".starts_with(*word);
    let at = words.iter().position(is_terminal).filter(|at| *at < MAX_MODIFIERS)?;
    let rest = words.get(at + 1..)?.iter().skip_while(|word| word.starts_with("++"));
    Some(rest.copied().collect::<Vec<_>>().join(" "))
}

/// Words that may precede an editor's command: `silent`, `tab`.
const MAX_MODIFIERS: usize = 4;

/// Returns true if a program is an editor with `:` commands.
pub(crate) fn is_editor(name: &str) -> bool {
    EDITORS.contains(&name)
}

/// Returns true if a program runs the value of the variable.
pub(crate) fn is_run(variable: &str) -> bool {
    VARIABLES.contains(&variable) || variable.starts_with("GIT_CONFIG_VALUE_")
}

/// `--to-command=…`, and `ProxyCommand=…` as ssh takes it.
fn option(arg: &Arg) -> Option<String> {
    if !arg.text.starts_with("--") && !arg.text.contains("Command") {
        return None;
    }
    let text = arg.plain();
    let value = OPTIONS.iter().find_map(|option| text.strip_prefix(option));
    let ssh = || {
        let (name, value) = text.split_once(['=', ' '])?;
        // Letters without a value may stand in front: `-voProxyCommand=…`.
        let name =
            if name.starts_with('-') { name.split_once('o').map_or(name, |(_, name)| name) } else { name };
        matches!(name, "ProxyCommand" | "LocalCommand" | "KnownHostsCommand").then_some(value)
    };
    value.or_else(ssh).map(str::to_owned)
}

/// The words behind options: long ones, and letters at the end of a cluster.
fn values(args: &[Arg], options: &[&str]) -> Vec<String> {
    let is_meant = |arg: &Arg| {
        let text = arg.as_str();
        let cluster = text.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
        options.iter().any(|option| match cluster {
            Some(letters) if option.len() == 1 => letters.ends_with(option),
            _ => text == *option,
        })
    };
    let pairs = args.iter().zip(args.iter().skip(1));
    pairs.filter(|(option, _)| is_meant(option)).map(|(_, value)| value.plain()).collect()
}

/// Names of the filters of `git filter-branch`.
const FILTERS: &[&str] = &[
    "--commit-filter",
    "--env-filter",
    "--index-filter",
    "--msg-filter",
    "--parent-filter",
    "--setup",
    "--tag-name-filter",
    "--tree-filter",
];

/// These commands, run in a folder: in the last of several, each from the one before.
fn run_in(folders: &[String], commands: Vec<String>) -> Vec<String> {
    let places: Vec<String> = folders.iter().map(|folder| changed_to(folder)).collect();
    let known = commands.into_iter().filter(|command| is_known(command));
    known.map(|command| [&places[..], &[command]].concat().join(" && ")).collect()
}

/// `-c alias.x='!…'`, `config core.pager …`, `rebase -x …`, `submodule foreach …`, `filter-branch --tree-filter …`.
fn git(args: &[Arg]) -> Vec<String> {
    let options = git_options(args);
    let settings =
        options.given.iter().filter(|(name, _)| name == "c").filter_map(|(_, value)| value.as_ref());
    let mut texts: Vec<String> = settings
        .filter_map(|setting| {
            setting.plain().split_once('=').and_then(|(key, value)| setting_text(key, value))
        })
        .collect();
    let words: Vec<&str> = options.operands.iter().map(Arg::as_str).collect();
    match words.as_slice() {
        ["config", rest @ ..] => {
            let pairs = rest.iter().zip(rest.iter().skip(1));
            texts.extend(pairs.filter_map(|(key, value)| setting_text(key, value)));
        }
        ["rebase", ..] => texts.extend(values(&options.operands, &["x", "--exec"])),
        ["difftool", ..] => texts.extend(values(&options.operands, &["x", "--extcmd"])),
        ["filter-branch", ..] => texts.extend(values(&options.operands, FILTERS)),
        ["submodule", "foreach", ..] => {
            let command = options.operands.iter().skip(2).filter(|arg| !arg.as_str().starts_with("--"));
            texts.push(command.map(Arg::plain).collect::<Vec<_>>().join(" "));
        }
        ["grep", ..] => {
            texts.extend(handed::option_values(&options.operands, &["-O", "--open-files-in-pager"]));
        }
        ["clone" | "fetch" | "pull" | "ls-remote", ..] => {
            texts.extend(handed::option_values(&options.operands, &["-u", "--upload-pack"]));
        }
        ["push", ..] => {
            texts.extend(handed::option_values(&options.operands, &["--receive-pack", "--exec"]));
        }
        _ => {}
    }
    let helper = |arg: &Arg| arg.plain().strip_prefix("ext::").map(|text| text.replace("% ", "\\ "));
    texts.extend(options.operands.iter().filter_map(helper));
    texts
}

/// `git`'s own options, and what follows them.
pub(crate) fn git_options(args: &[Arg]) -> Options {
    let long = &["git-dir", "work-tree", "namespace", "exec-path", "super-prefix", "config-env"];
    Options::parse(args, Grammar { short: "Cc", long, anywhere: false })
}

/// `git bisect run command …`.
pub(super) fn bisect(call: &Call) -> Option<Wrapped> {
    let operands = git_options(call.args()).operands;
    match operands.as_slice() {
        [bisect, run, command @ ..] if bisect.as_str() == "bisect" && run.as_str() == "run" => {
            Wrapped::words("git bisect run", command)
        }
        _ => None,
    }
}

/// `git-reset --hard` is `git reset --hard`.
pub(super) fn own_program_of_git(name: &str, call: &Call) -> Option<Wrapped> {
    let verb = name.strip_prefix("git-").filter(|verb| !verb.is_empty())?;
    Wrapped::words(name, &[&[Arg::new("git"), Arg::new(verb)], call.args()].concat())
}

/// Returns the value of a setting, unless it is a name. An alias that does not begin with `!` is one of git's
/// commands.
fn setting_text(key: &str, value: &str) -> Option<String> {
    let key = key.to_lowercase();
    match key.split_once('.') {
        Some(("alias", _)) if !value.starts_with('!') => Some(format!("git {value}")),
        Some(("user", _)) | None => None,
        Some(_) => Some(bare(value)),
    }
}

/// Without what tells the program that a command follows.
fn bare(text: &str) -> String {
    text.trim_start_matches([':', '!', ' ']).to_owned()
}
