//! Output of a command, where the command line determines it.

mod archive;
mod fetch;
mod listing;
mod setup;
mod temporary;

pub(crate) use fetch::Download;
pub(crate) use listing::is_whole;
pub(crate) use temporary::made_folder;

use crate::{
    arg::{Arg, ENVIRONMENT, Origin, Stream, UNKNOWN},
    call::{Call, Grammar, Options},
    rules::{RSYNC, is_own_program, printed_members},
    scope::Scope,
    secret::is_secret,
    word::decode_all,
    wrapper::{git_options, is_interpreter},
};

/// Commands that print what they read, whole or in part, from their operands or the standard input.
pub(crate) const READERS: &[&str] = &[
    "7z", "7za", "awk", "base32", "base64", "basenc", "bat", "batcat", "bzip2", "cat", "cp", "cut", "dd",
    "egrep", "fgrep", "fold", "gawk", "gpg", "grep", "gzip", "head", "hexdump", "jq", "less", "more", "nl",
    "od", "openssl", "paste", "rev", "rg", "sed", "sort", "strings", "tac", "tail", "tar", "tee", "tr",
    "uniq", "uuencode", "xxd", "xz", "yq", "zegrep", "zgrep", "zip", "zstd",
];

/// Commands that turn bytes into other bytes that the command line does not show.
const DECODERS: &[&str] = &["base32", "base64", "basenc", "openssl", "uudecode", "xxd"];

/// Commands that tell something about their input but do not repeat it.
const SUMMARIES: &[&str] = &["wc", "md5sum", "sha1sum", "sha256sum", "sha512sum", "cksum", "test", "["];

/// Returns the output of a command, and records in the scope the files that it writes.
pub(crate) fn of(call: &Call, scope: &mut Scope) -> Stream {
    let name = call.name();
    if let Some(names) = listing::matching(call) {
        return names;
    }
    let mut out = print_call(call, name, scope);
    out.origin.everything |= listing::is_everything(call);
    out
}

fn print_call(call: &Call, name: &str, scope: &mut Scope) -> Stream {
    match name {
        "echo" => echo(call),
        "printf" => printf(call),
        "cat" => cat(call, scope),
        "pwd" => call.cwd.as_ref().map_or_else(Stream::default, Stream::of),
        "which" => located(call.args()),
        "command" | "type" => located(call.args().get(1..).unwrap_or_default()),
        "tee" => tee(call, scope),
        "cp" | "mv" | "install" | "ln" | "rsync" | "scp" => copy(call, scope),
        "true" | ":" | "false" | "cd" | "mkdir" | "rm" | "touch" | "set" | "export" => Stream::of(""),
        "env" | "printenv" if call.args().is_empty() => {
            Stream::from_origin(Origin { secret: Some(ENVIRONMENT.to_owned()), ..Origin::default() })
        }
        "git" => {
            stage(call, scope);
            if let Some(folder) = repository(call) {
                return Stream::of(format!("{folder}\n"));
            }
            passed(call, name)
        }
        // What is there is not known, and what comes behind it is.
        "crontab" if call.touches && call.has_arg("-l") => Stream::of(format!("{UNKNOWN}\n")),
        "find" | "gfind" => listing::found(call),
        "ls" | "gls" | "dir" | "vdir" => listing::listed(call),
        "tar" | "gtar" | "bsdtar" if let Some(members) = printed_members(call) => {
            listing::names(members.join("\n"))
        }
        "compgen" if call.touches => listing::completed(call),
        "realpath" | "readlink" | "dirname" => listing::path(call),
        "pgrep" | "pidof" => {
            let own_processes = call.args().iter().any(|arg| is_own_program(&arg.plain()));
            Stream::from_origin(Origin { own_processes, ..Origin::default() })
        }
        name if fetch::FETCHERS.contains(&name) => fetch::of(call, scope),
        name if SUMMARIES.contains(&name) => Stream::default(),
        _ => {
            let mut out = passed(call, name);
            out.origin.made_for_eval = setup::is_printed(call, scope);
            let source = call.args().iter().find_map(|arg| arg.as_str().strip_prefix("if="));
            out.origin.own_program |=
                name == "dd" && source.is_some_and(|path| Arg::new(path).is_own_program());
            let is_kept = out.origin.secret.is_some() || out.origin.own_program;
            if let Some(file) = archive::made(call).filter(|_| is_kept) {
                scope.write_file(&file, &out, false);
            }
            out
        }
    }
}

/// `git rev-parse --git-dir`: where a repository keeps its hooks and settings, if it is the usual one.
fn repository(call: &Call) -> Option<String> {
    let operands = git_options(call.args()).operands;
    let (verb, rest) = operands.split_first()?;
    let words: Vec<&str> =
        rest.iter().map(Arg::as_str).filter(|word| !word.starts_with("--path-format")).collect();
    match words.as_slice() {
        _ if verb.as_str() != "rev-parse" => None,
        ["--git-dir" | "--absolute-git-dir" | "--git-common-dir"] => Some(".git".to_owned()),
        ["--git-path", path] => Some(format!(".git/{path}")),
        _ => None,
    }
}

/// The name that files which `git push` sends are remembered by.
pub(crate) const STAGED: &str = ".git/index";

/// Records a secret file that is added to git: a later push sends it.
fn stage(call: &Call, scope: &mut Scope) {
    let operands = git_options(call.args()).operands;
    let Some((verb, files)) = operands.split_first() else { return };
    if matches!(verb.as_str(), "add" | "stage" | "commit" | "update-index")
        && let Some(secret) = files.iter().find_map(|file| call.secret(file.as_str()))
    {
        scope.write_file(STAGED, &Stream::from_origin(origin_of(secret)), false);
    }
}

/// A command that is only known to work on its input.
fn passed(call: &Call, name: &str) -> Stream {
    let mut origin = call.stdin.origin.clone();
    for arg in call.args() {
        origin.join(&arg.origin);
        if let Some(stream) = &arg.stream {
            origin.join(&stream.origin);
        }
    }
    if READERS.contains(&name) && origin.secret.is_none() {
        let path = |arg: &Arg| call.secret(arg.as_str().trim_start_matches("if="));
        origin.secret = read_files(call, name).into_iter().find_map(path);
    }
    origin.printed = is_foreign_program(call, name);
    origin.everything &= REORDERING.contains(&name);
    // `ps | grep hookbox`
    origin.own_processes |= PROGRAM_FIRST.contains(&name)
        && call.has_stdin
        && call.args().iter().any(|arg| is_own_program(&arg.plain()));
    if call.has_stdin && origin.files {
        return listing::filtered(name, call, origin);
    }
    let decodes =
        DECODERS.contains(&name) && call.args().iter().any(|arg| arg.as_str().starts_with(['-', 'e', 'b']));
    // Text that the command line shows comes out as text that it does not show.
    let shown = call.stdin.text.as_deref().filter(|text| call.has_stdin && !text.is_empty());
    // Of what is only known when it runs, something is known before no more than behind.
    let is_unknown = shown.is_some_and(|text| Arg::new(text).is_all_unknown());
    origin.decoded |= decodes || (shown.is_some() && !is_unknown);
    let text = (is_unknown && !origin.is_unseen()).then(|| UNKNOWN.to_string());
    Stream { text, origin, file: None }
}

/// Returns true unless a command runs a program or a script of the project, which could do itself whatever it prints.
fn is_foreign_program(call: &Call, name: &str) -> bool {
    let path = call.words.first().map_or("", Arg::as_str);
    let is_of_system = !path.contains('/') || path.starts_with("/usr/") || path.starts_with("/bin/");
    is_of_system && !is_interpreter(name)
}

/// Commands that print all of their input in another order, or with other separators.
const REORDERING: &[&str] = &["cat", "shuf", "sort", "tac", "tee", "tr"];
/// Readers whose first operand is a program or a pattern.
const PROGRAM_FIRST: &[&str] =
    &["awk", "egrep", "fgrep", "gawk", "grep", "jq", "rg", "sed", "tr", "yq", "zegrep", "zgrep"];
/// Options whose value is left out of what is read, and letters for that.
const EXCLUSIONS: &[&str] =
    &["--exclude", "--exclude-from", "--exclude-dir", "--ignore-file", "-x", "-X", "-g", "--glob"];

/// The arguments of a reader that may be files.
fn read_files<'a>(call: &'a Call, name: &str) -> Vec<&'a Arg> {
    let mut files = Vec::new();
    let mut is_excluded = false;
    let scripted = call.args().iter().any(|arg| matches!(arg.as_str(), "-e" | "-f" | "--regexp" | "--file"));
    let mut is_program = PROGRAM_FIRST.contains(&name) && !scripted;
    for arg in call.args() {
        let text = arg.as_str();
        let option = text.starts_with('-') && text.len() > 1;
        if std::mem::take(&mut is_excluded) && !option {
            // `zip -x` and `7z -x` leave out all that follow.
            is_excluded = matches!(name, "zip");
            continue;
        }
        let excluded = EXCLUSIONS.iter().any(|exclusion| text.starts_with(&format!("{exclusion}=")));
        if EXCLUSIONS.contains(&text) {
            // For grep, `-x` is a match of whole lines.
            is_excluded = text != "-x" || matches!(name, "zip" | "7z" | "7za");
        } else if !excluded && (option || !std::mem::take(&mut is_program)) {
            files.push(arg);
        }
    }
    files
}

fn echo(call: &Call) -> Stream {
    let mut args = call.args();
    let (mut escapes, mut newline) = (false, true);
    while let Some((first, rest)) = args.split_first() {
        let Some(letters) = first.as_str().strip_prefix('-').filter(|letters| is_echo_option(letters)) else {
            break;
        };
        escapes |= letters.contains('e');
        newline &= !letters.contains('n');
        args = rest;
    }
    let mut out = Stream::of("");
    for (at, arg) in args.iter().enumerate() {
        let text = if escapes { decode_all(arg.as_str()) } else { arg.text.clone() };
        let gap = if at > 0 { " " } else { "" };
        let text = Some(format!("{gap}{text}"));
        out.append(&Stream { text, origin: arg.origin.clone(), file: None });
    }
    if newline {
        out.append(&Stream::of("\n"));
    }
    out
}

fn is_echo_option(letters: &str) -> bool {
    !letters.is_empty() && letters.chars().all(|c| "neE".contains(c))
}

/// The formats that scripts are usually built with: text, `%s`, `%b`, `%d`.
fn printf(call: &Call) -> Stream {
    let args = call.args();
    let args = args.strip_prefix(&[Arg::new("--")]).unwrap_or(args);
    let Some((format, values)) = args.split_first() else {
        return Stream::of("");
    };
    let mut origin = format.origin.clone();
    for value in values {
        origin.join(&value.origin);
    }
    let mut values = values.iter();
    let mut text = String::new();
    loop {
        let before = values.len();
        if !round(format.as_str(), &mut values, &mut text) {
            return Stream::from_origin(origin);
        }
        if values.len() == 0 || values.len() == before {
            return Stream { text: Some(text), origin, file: None };
        }
    }
}

/// Prints the format once; false if it has a conversion that is not followed.
fn round<'a>(format: &str, values: &mut impl Iterator<Item = &'a Arg>, text: &mut String) -> bool {
    let mut pieces = format.split('%');
    text.push_str(&decode_all(pieces.next().unwrap_or_default()));
    let mut percent = false;
    for piece in pieces {
        if std::mem::take(&mut percent) {
            text.push_str(&decode_all(piece));
            continue;
        }
        let mut chars = piece.chars();
        match chars.next() {
            None => {
                text.push('%');
                percent = true;
            }
            Some('s' | 'd' | 'i') => text.push_str(values.next().map(Arg::as_str).unwrap_or_default()),
            Some('b') => text.push_str(&decode_all(values.next().map(Arg::as_str).unwrap_or_default())),
            Some(_) => return false,
        }
        text.push_str(&decode_all(chars.as_str()));
    }
    true
}

fn cat(call: &Call, scope: &Scope) -> Stream {
    let options = Options::parse(call.args(), Grammar::ANYWHERE);
    if options.operands.is_empty() {
        return call.stdin.clone();
    }
    let mut out = Stream::of("");
    for operand in &options.operands {
        let own = operand.literal().and_then(|path| scope.file(path));
        match (operand.as_str(), &operand.stream, own) {
            ("-" | "/dev/stdin", ..) => out.append(&call.stdin),
            (_, Some(stream), _) => out.append(stream),
            (_, None, Some(file)) => out.append(file),
            (path, None, None) => {
                let secret = is_secret(path).then(|| operand.plain());
                let own_program = operand.is_own_program();
                out.append(&Stream::from_origin(Origin { secret, own_program, ..operand.origin.clone() }));
            }
        }
    }
    out
}

/// `which rm` prints where `rm` is: for a rule, `rm`.
fn located(names: &[Arg]) -> Stream {
    match names {
        [name] if is_own_program(name.as_str()) => Stream::of(format!("/usr/local/bin/{}", name.as_str())),
        [name] if !name.as_str().starts_with('-') => Stream::of(name.as_str()),
        _ => Stream::default(),
    }
}

fn tee(call: &Call, scope: &mut Scope) -> Stream {
    let options = Options::parse(call.args(), Grammar::ANYWHERE);
    for path in options.operands.iter().filter_map(Arg::literal) {
        scope.write_file(path, &call.stdin, options.has_letter("a"));
    }
    call.stdin.clone()
}

/// A copy has the origin of what was copied.
fn copy(call: &Call, scope: &mut Scope) -> Stream {
    let options = Options::parse(call.args(), copying(call.name()));
    if let [from, to] = options.operands.as_slice()
        && let Some(to) = to.literal()
    {
        let secret = is_secret(from.as_str()).then(|| from.plain());
        let content = from.literal().and_then(|from| scope.file(from)).cloned();
        let own = || Stream::from_origin(Origin { own_program: true, ..Origin::default() });
        let content = content.or_else(|| from.is_own_program().then(own));
        if let Some(content) = content.or_else(|| secret.map(|path| Stream::from_origin(origin_of(path)))) {
            scope.write_file(to, &content, false);
        }
    }
    Stream::default()
}

/// The options of a command that copies files.
pub(crate) fn copying(name: &str) -> Grammar<'static> {
    match name {
        "install" => Grammar { short: "gmoS", long: &["group", "mode", "owner", "suffix"], anywhere: true },
        "rsync" => RSYNC,
        "scp" => Grammar { short: "cDFiJloPSX", ..Grammar::ANYWHERE },
        _ => Grammar::ANYWHERE,
    }
}

fn origin_of(secret: String) -> Origin {
    Origin { secret: Some(secret), ..Origin::default() }
}
