//! Secrets that leave the machine.

use super::{read::hides_input, removal::RSYNC};
use crate::{
    address::is_here,
    arg::{Arg, ONE, SET, STAR, UNKNOWN, is_network},
    call::{Call, Grammar, Options},
    finding::quote,
    output::{READERS, STAGED, copying},
    secret::is_secret,
    wrapper::{git_options, is_interpreter},
};

/// Commands that send what they are given.
const SENDERS: &[&str] = &[
    "curl",
    "wget",
    "nc",
    "ncat",
    "netcat",
    "socat",
    "telnet",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "ftp",
    "lftp",
    "http",
    "https",
    "xh",
    "curlie",
    "mail",
    "mailx",
    "sendmail",
    "mutt",
    "rclone",
    "croc",
    "dig",
    "nslookup",
    "host",
    "ping",
    "gh",
    "aws",
    "gsutil",
    "gcloud",
    "az",
    "s3cmd",
    "s5cmd",
    "rclone",
    "mc",
    "wormhole",
    "magic-wormhole",
    "ffsend",
    "glab",
    "transfer",
    "twine",
    "docker",
    "podman",
    "nerdctl",
    "kubectl",
    "oc",
    "tftp",
];

/// Clients of services, the words that make them send files, and the options whose value is such a file.
const UPLOADERS: &[(&str, &[&str], &[&str])] = &[
    (
        "gh",
        &[
            "gist create",
            "gist edit",
            "issue comment",
            "issue create",
            "issue edit",
            "pr comment",
            "pr create",
            "pr edit",
            "pr review",
            "release create",
            "release upload",
        ],
        &["--body-file", "--notes-file"],
    ),
    ("aws", &["s3 cp", "s3 mv", "s3 sync", "s3api put-object"], &["--body"]),
    ("gsutil", &["cp", "mv", "rsync"], &[]),
    ("gcloud", &["storage cp", "storage mv", "storage rsync"], &[]),
    ("az", &["storage blob upload", "storage file upload"], &["--file", "-f", "--source"]),
    ("s3cmd", &["put", "sync"], &[]),
    ("s5cmd", &["cp", "mv", "sync"], &[]),
    ("mc", &["cp", "mv", "mirror"], &[]),
    ("wormhole", &["send"], &[]),
    ("magic-wormhole", &["send"], &[]),
    ("ffsend", &["upload"], &[]),
    ("glab", &["snippet create", "release upload"], &[]),
    ("twine", &["upload"], &[]),
    ("docker", &["cp"], &[]),
    ("podman", &["cp"], &[]),
    ("nerdctl", &["cp"], &[]),
    ("kubectl", &["cp"], &[]),
    ("oc", &["cp"], &[]),
];

/// Senders that take files as plain operands.
const COPIERS: &[&str] = &[
    "scp", "sftp", "rsync", "rclone", "croc", "mail", "mailx", "mutt", "http", "https", "xh", "ftp", "lftp",
    "tftp", "transfer",
];

pub(super) fn send(call: &Call) -> Option<String> {
    let openssl = call.is(&["openssl"]) && call.has_arg("s_client");
    if (!openssl && !call.is(SENDERS)) || stays_here(call) || copies_here(call) {
        return None;
    }
    let secret = call
        .stdin
        .origin
        .secret
        .clone()
        .or_else(|| call.args().iter().find_map(|arg| arg.origin.secret.clone()))
        .or_else(|| uploaded(call))
        .or_else(|| put(call))?;
    Some(format!("sends the secret file {} away", quote(&secret, 80)))
}

/// A secret file that an option or operand of a sender names.
fn uploaded(call: &Call) -> Option<String> {
    named(call).iter().find_map(|arg| local_secret(arg.as_str(), call))
}

/// The files that a command sends away, by each name that its words may have for them.
pub(super) fn uploads_of(call: &Call) -> Vec<String> {
    if !call.is(SENDERS) || stays_here(call) || copies_here(call) {
        return Vec::new();
    }
    let redirected = call.reads.iter().filter(|_| !hides_input(call.args())).map(|arg| arg.text.clone());
    named(call).iter().flat_map(|arg| local_names(arg.as_str())).chain(redirected).collect()
}

/// Returns the files that the words of a sender name, as they are written.
fn named(call: &Call) -> Vec<Arg> {
    match call.name() {
        "curl" | "curlie" => curl_files(call),
        "wget" => {
            let long = &["post-file", "body-file", "input-file", "config"];
            let options = Options::parse(call.args(), Grammar { short: "i", long, anywhere: true });
            ["--post-file", "--body-file", "--input-file", "--config", "i"]
                .iter()
                .filter_map(|name| options.value(&[*name]).cloned())
                .collect()
        }
        name if UPLOADERS.iter().any(|(known, ..)| *known == name) => uploads(name, call),
        name if COPIERS.contains(&name) => {
            let grammar = match name {
                // Among its options are those that leave files out.
                "rsync" => RSYNC,
                _ => Grammar { short: "iFoPcSJlDXBe", long: &["config", "exclude"], anywhere: true },
            };
            let mut named = Options::parse(call.args(), grammar).operands;
            // The last one is written, not sent.
            if matches!(name, "scp" | "rsync") && named.len() > 1 {
                named.pop();
            }
            named
        }
        _ => Vec::new(),
    }
}

/// `sftp h <<< 'put .env'`, `lftp -e 'put .env'`, `socat FILE:.env …`.
fn put(call: &Call) -> Option<String> {
    if !call.is(&["ftp", "lftp", "sftp", "tftp", "socat"]) {
        return None;
    }
    let stdin = call.stdin.text.iter().filter(|_| call.has_stdin).cloned();
    let texts = call.args().iter().map(|arg| arg.text.clone()).chain(stdin);
    let words: Vec<String> = texts
        .flat_map(|text| text.split([' ', '\n', ',', ':']).map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let puts = call.is(&["socat"])
        || words.iter().any(|word| matches!(word.as_str(), "put" | "mput" | "send" | "reput"));
    words.iter().filter(|_| puts).find_map(|word| call.secret(word))
}

/// `git push` behind a `git add` of a secret file.
pub(super) fn push(call: &Call) -> Option<String> {
    let pushes = call.is(&["git"])
        && git_options(call.args()).operands.first().is_some_and(|verb| verb.as_str() == "push");
    let (_, secret) = call.copies.iter().find(|(path, _)| pushes && path == STAGED)?;
    Some(format!("sends the secret file {} away", quote(secret, 80)))
}

/// Functions that read a file, and words in code that talks to other machines.
const READING: &[&str] =
    &["open", "readFile", "readFileSync", "read", "file_get_contents", "Path", "slurp", "cat"];
const TALKING: &[&str] = &[
    "http://",
    "https://",
    "requests.",
    "urllib",
    "http.client",
    "fetch(",
    "axios",
    "Net::HTTP",
    "LWP",
    "socket",
    "curl_",
    "smtplib",
];

/// Code of another language that reads a secret file and talks to others.
pub(super) fn code(call: &Call) -> Option<String> {
    if !is_interpreter(call.name()) {
        return None;
    }
    let stdin = call.stdin.text.iter().filter(|_| call.has_stdin).cloned();
    let mut codes = call.args().iter().map(Arg::plain).chain(stdin);
    let secret = codes.find_map(|code| {
        let talks = TALKING.iter().any(|word| code.contains(word));
        let reads = |text: &&str| {
            READING.iter().any(|name| text.trim_end_matches([' ', '(', '"', '\'']).ends_with(name))
        };
        let pieces: Vec<&str> = code.split(['"', '\'', '`', ' ', ')']).collect();
        // What stands in front of a name says what is done with it.
        pieces.windows(2).filter(|_| talks).find_map(|pair| {
            let [before, name] = pair else { return None };
            Some(*before).filter(reads).and_then(|_| call.secret(name))
        })
    })?;
    Some(format!("sends the secret file {} away", quote(&secret, 80)))
}

/// Returns the files that a service's client is passed to send.
fn uploads(name: &str, call: &Call) -> Vec<Arg> {
    let Some((_, verbs, options)) = UPLOADERS.iter().find(|(known, ..)| *known == name) else {
        return Vec::new();
    };
    let words: Vec<&str> = call.args().iter().map(Arg::as_str).collect();
    let has_verb = |verb: &&str| {
        let verb: Vec<&str> = verb.split(' ').collect();
        words.windows(verb.len()).any(|words| words == verb)
    };
    if !verbs.iter().any(has_verb) {
        return Vec::new();
    }
    let long: Vec<&str> = options.iter().map(|option| option.trim_start_matches('-')).collect();
    let long: Vec<&str> =
        long.into_iter().chain(["exclude", "include", "desc", "filename", "title"]).collect();
    let parsed = Options::parse(call.args(), Grammar { short: "", long: &long, anywhere: true });
    let mut files = parsed.operands.clone();
    files.extend(parsed.value(options).cloned());
    files
}

/// Options of clients that may connect to another host than the address.
const DETOURS: &[&str] =
    &["-x", "--proxy", "--preproxy", "--resolve", "--connect-to", "--socks", "-K", "--config", "-e"];
/// Returns true if a web client talks to this machine only.
fn stays_here(call: &Call) -> bool {
    if !call.is(&["curl", "wget", "http", "https", "xh", "curlie"]) {
        return false;
    }
    let words: Vec<&str> = call.args().iter().map(Arg::as_str).collect();
    let detours = words.iter().any(|word| {
        DETOURS.iter().any(|detour| {
            word == detour
                || (detour.len() > 2 && word.starts_with(detour))
                || (detour.len() == 2 && word.starts_with(detour) && !word.starts_with("--"))
        })
    });
    let long: Vec<&str> = CURL_SENDS
        .iter()
        .map(|(_, long)| long.trim_start_matches('-'))
        .chain(["request", "output"])
        .collect();
    let grammar = Grammar { short: "dFTHXoAbcEmuUwyYz", long: &long, anywhere: true };
    let mut addresses = Options::parse(call.args(), grammar).operands.into_iter().peekable();
    addresses.peek().is_some() && !detours && addresses.all(|address| is_here(&address.plain()))
}

/// Returns true if `scp` or `rsync` copies to a path of this machine: no word names another. The copy is followed.
fn copies_here(call: &Call) -> bool {
    if !call.is(&["scp", "rsync"]) {
        return false;
    }
    // `host:path` and `scheme://…`; what stands behind a slash is a path.
    let is_host = |head: &str| !head.contains('/') && !head.contains(char::is_whitespace);
    let names_host = |arg: &Arg| arg.as_str().split_once(':').is_some_and(|(head, _)| is_host(head));
    let operands = Options::parse(call.args(), copying(call.name())).operands;
    let [_, .., target] = operands.as_slice() else { return false };
    !target.as_str().contains([UNKNOWN, STAR, ONE, SET]) && !operands.iter().any(names_host)
}

/// The secret file that an argument names: `file`, `name=@file`, `name@file`, `@file`.
fn local_secret(text: &str, call: &Call) -> Option<String> {
    local_names(text).iter().find_map(|name| call.secret(name))
}

fn local_names(text: &str) -> Vec<String> {
    if text.split('/').next().is_some_and(|head| head.contains(':')) {
        return Vec::new();
    }
    let file = text.rsplit_once('@').map_or(text, |(_, file)| file);
    // Behind `;` and `,` a form says what kind of file it is, and names more.
    let file = file.split([';', ',']).next().unwrap_or(file);
    if file == text { vec![text.to_owned()] } else { vec![text.to_owned(), file.to_owned()] }
}

/// `curl`'s options whose value is sent, with the letter of each.
const CURL_SENDS: &[(&str, &str)] = &[
    ("T", "--upload-file"),
    ("b", "--cookie"),
    ("H", "--header"),
    ("", "--proxy-header"),
    ("F", "--form"),
    ("d", "--data"),
    ("", "--data-ascii"),
    ("", "--data-binary"),
    ("", "--data-urlencode"),
    ("", "--json"),
    ("", "--url-query"),
    ("", "--variable"),
    ("K", "--config"),
];

fn curl_files(call: &Call) -> Vec<Arg> {
    let long: Vec<&str> = CURL_SENDS.iter().map(|(_, long)| long.trim_start_matches('-')).collect();
    let options =
        Options::parse(call.args(), Grammar { short: "dFTHXoAbceEKmuUwxyYz", long: &long, anywhere: true });
    let sent = |(name, value): (String, Option<Arg>)| {
        let (_, long) = CURL_SENDS.iter().find(|(short, long)| name == *short || name == *long)?;
        let value = value.filter(|value| is_file(long, value.as_str()))?;
        Some(Arg::new(value.text.replacen("=<", "=@", 1)))
    };
    options.given.into_iter().filter_map(sent).collect()
}

/// Returns true if the value of an option, by its long name, is a file and not the data itself.
fn is_file(long: &str, value: &str) -> bool {
    match long {
        "--upload-file" | "--config" => true,
        "--cookie" => !value.contains('='),
        "--form" => value.contains("=@") || value.contains("=<"),
        "--data-urlencode" | "--url-query" | "--variable" => value.contains('@'),
        _ => value.starts_with('@'),
    }
}

/// `cat secret > /dev/tcp/host/core`.
pub(super) fn socket(call: &Call) -> Option<String> {
    let network = |target: &Arg| is_network(target.as_str());
    let tee = call.is(&["tee"]) && call.args().iter().any(network);
    if !tee && !call.writes.iter().any(network) {
        return None;
    }
    let named = call.args().iter().find_map(|arg| call.secret(arg.as_str()));
    let carried = call.args().iter().find_map(|arg| arg.origin.secret.clone());
    let secret = call.stdin.origin.secret.clone().or(named).or(carried)?;
    Some(format!("sends the secret file {} away", quote(&secret, 80)))
}

pub(super) fn read(call: &Call) -> Option<String> {
    let piped = call.stdin.origin.secret.clone();
    let named = || {
        let reads =
            call.is(READERS) || call.is(&["source", ".", "vim", "vi", "nano", "emacs", "code", "view"]);
        call.args().iter().find(|arg| reads && is_secret(arg.as_str())).map(Arg::plain)
    };
    piped.or_else(named).map(|path| format!("reads the secret file {}", quote(&path, 80)))
}
