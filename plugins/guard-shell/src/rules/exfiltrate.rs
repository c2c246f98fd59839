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
const COPIERS: &[&str] = &[
    "scp", "sftp", "rsync", "rclone", "croc", "mail", "mailx", "mutt", "http", "https", "xh", "ftp", "lftp",
];

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
            let mut named = Options::parse(call.args(), grammar).operands;
            // The last one is written, not sent.
            if matches!(name, "scp" | "rsync") && named.len() > 1 {
                named.pop();
            }
            named
        }
        _ => Vec::new(),
    };
    named.iter().find_map(|arg| local_secret(arg.as_str(), call))
}

/// The secret file that an argument names: `file`, `name=@file`, `name@file`, `@file`.
fn local_secret(text: &str, call: &Call) -> Option<String> {
    let is_remote = text.split('/').next().is_some_and(|head| head.contains(':'));
    let file = text.rsplit_once('@').map_or(text, |(_, file)| file);
    call.secret(text).or_else(|| call.secret(file)).filter(|_| !is_remote)
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

/// Whether the value of an option, told by its long name, is a file and not what is sent itself.
fn is_file(long: &str, value: &str) -> bool {
    match long {
        "--upload-file" => true,
        "--cookie" => !value.contains('='),
        "--form" => value.contains("=@") || value.contains("=<"),
        "--data-urlencode" | "--url-query" => value.contains('@'),
        _ => value.starts_with('@'),
    }
}

/// `cat secret > /dev/tcp/host/port`.
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
