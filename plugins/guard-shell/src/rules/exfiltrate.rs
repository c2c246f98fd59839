//! Secrets that leave the machine.

use crate::{
    arg::{Arg, is_network},
    call::{Call, Grammar, Options},
    finding::quote,
    output::READERS,
    secret::is_secret,
};

/// Commands that send what they are given.
const SENDERS: &[&str] = &[
    "curl", "wget", "nc", "ncat", "netcat", "socat", "telnet", "ssh", "scp", "sftp", "rsync", "ftp", "lftp",
    "http", "https", "xh", "curlie", "mail", "mailx", "sendmail", "mutt", "rclone", "croc", "dig",
    "nslookup", "host", "ping",
];

/// Senders that take files as plain operands.
const COPIERS: &[&str] = &["scp", "sftp", "rsync", "rclone", "croc", "http", "https", "xh", "ftp", "lftp"];

pub(super) fn send(call: &Call) -> Option<String> {
    let openssl = call.is(&["openssl"]) && call.has_arg("s_client");
    if !openssl && !call.is(SENDERS) {
        return None;
    }
    let secret = call
        .stdin
        .origin
        .secret
        .clone()
        .or_else(|| call.args().iter().find_map(|arg| arg.origin.secret.clone()))
        .or_else(|| uploaded(call))?;
    Some(format!("sends the secret file {} away", quote(&secret, 80)))
}

/// A secret file that an option or operand of a sender names.
fn uploaded(call: &Call) -> Option<String> {
    let named = match call.name().as_str() {
        "curl" | "curlie" => curl_files(call),
        "wget" => {
            let long = &["post-file", "body-file"];
            let options = Options::parse(call.args(), Grammar { short: "", long, anywhere: true });
            ["--post-file", "--body-file"]
                .iter()
                .filter_map(|name| options.value(&[*name]).cloned())
                .collect()
        }
        name if COPIERS.contains(&name) => {
            let grammar = Grammar { short: "iFoPcSJlDXBe", long: &["rsh", "config"], anywhere: true };
            Options::parse(call.args(), grammar).operands
        }
        _ => Vec::new(),
    };
    let path = |arg: &Arg| {
        let text = arg.plain();
        // `name=@file`, `name@file`, `@file`.
        let file = text.rsplit_once('@').map_or(text.as_str(), |(_, file)| file).to_owned();
        let local = !text.split('/').next().is_some_and(|head| head.contains(':'));
        (local && (is_secret(&text) || is_secret(&file))).then_some(text)
    };
    named.iter().find_map(path)
}

fn curl_files(call: &Call) -> Vec<Arg> {
    let long = &[
        "data",
        "data-ascii",
        "data-binary",
        "data-raw",
        "data-urlencode",
        "form",
        "json",
        "upload-file",
        "url-query",
    ];
    let options =
        Options::parse(call.args(), Grammar { short: "dFTHXoAbceEKmuUwxyYz", long, anywhere: true });
    let sent = |name: &str| {
        matches!(name, "d" | "F" | "T") || long.iter().any(|long| name.strip_prefix("--") == Some(long))
    };
    let reads = |name: &str, text: &str| {
        matches!(name, "T" | "--upload-file")
            || text.starts_with('@')
            || text.contains("=@")
            || text.contains("=<")
            || (name == "--data-urlencode" && text.contains('@'))
    };
    let given = options.given.into_iter().filter_map(|(name, value)| value.map(|value| (name, value)));
    given
        .filter(|(name, value)| sent(name) && reads(name, value.as_str()))
        .map(|(_, value)| Arg::new(value.text.replacen("=<", "=@", 1)))
        .collect()
}

/// `cat secret > /dev/tcp/host/port`.
pub(super) fn socket(call: &Call) -> Option<String> {
    let network = |target: &Arg| is_network(target.as_str());
    let tee = call.is(&["tee"]) && call.args().iter().any(network);
    if !tee && !call.writes.iter().any(network) {
        return None;
    }
    let named = call.args().iter().find(|arg| is_secret(arg.as_str())).map(Arg::plain);
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
