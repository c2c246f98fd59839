//! Data that leaves or reaches the machine in ways that a table cannot express.

use crate::{
    arg::{Arg, UNKNOWN},
    call::{Call, Grammar, Options},
    output::copying,
    wrapper::is_interpreter,
};

/// Names of this machine.
const HERE: &[&str] = &["localhost", "127.0.0.1", "[::1]", "::1", "0.0.0.0"];
/// Clients of the web.
const CLIENTS: &[&str] = &["curl", "wget", "http", "https", "xh", "xhs", "curlie", "aria2c", "lynx", "w3m"];
/// Addresses of clouds' metadata services.
const METADATA: &[&str] = &[
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "[fd00:ec2::254]",
    "metadata.google.internal",
    "metadata.goog",
    "100.100.100.200",
    "2852039166",
    "0xa9fea9fe",
    "0xA9FEA9FE",
    "0251.0376.0251.0376",
];
/// System folders of other machines.
const SYSTEM: &[&str] =
    &["/etc", "/bin", "/sbin", "/usr", "/lib", "/lib32", "/lib64", "/boot", "/var/lib", "/dev"];

/// `ssh -R`, `ssh -o RemoteForward=…`, `ssh -w`.
pub(super) fn forwards(call: &Call) -> bool {
    if !call.is(&["ssh", "autossh", "plink"]) {
        return false;
    }
    let grammar = Grammar { short: "BbcDEeFIiJLlMmOoPpQRSWw", ..Grammar::default() };
    let options = Options::parse(call.args(), grammar);
    // Options may stand on both sides of the host; behind the first word of a command they are that command's.
    let after = Options::parse(options.operands.get(1..).unwrap_or_default(), grammar);
    options.given.iter().chain(&after.given).any(|(name, value)| match name.as_str() {
        "R" | "w" => true,
        "o" => value.as_ref().is_some_and(|value| {
            let setting = value.as_str().trim_start().to_lowercase();
            setting.starts_with("remoteforward") || setting.starts_with("tunnel=")
        }),
        _ => false,
    })
}

/// `nmap` of other machines.
pub(super) fn scans(call: &Call) -> bool {
    if !call.is(&["nmap", "zenmap"]) {
        return false;
    }
    let long = &["script", "top-ports", "exclude", "min-rate", "max-rate", "host-timeout"];
    let options = Options::parse(call.args(), Grammar { short: "pTiDSegm", long, anywhere: true });
    let targets = options.operands.iter().filter(|operand| !is_output(operand));
    let lists = options.value(&["i"]).is_some();
    lists || targets.into_iter().any(|target| !HERE.contains(&target.as_str()))
}

/// `-oN file` leaves the file among the operands.
fn is_output(operand: &Arg) -> bool {
    let text = operand.as_str();
    text == "-" || [".txt", ".xml", ".nmap", ".gnmap"].iter().any(|end| text.ends_with(end))
}

/// A request to the address at which clouds hand out credentials.
pub(super) fn asks_metadata(call: &Call) -> bool {
    if !call.is(CLIENTS) && !is_interpreter(call.name()) {
        return false;
    }
    let names = |text: &str| METADATA.iter().any(|address| text.contains(address));
    let is_code = !call.is(CLIENTS);
    let stdin = call.stdin.text.iter().filter(|_| is_code && call.has_stdin);
    call.args().iter().any(|arg| if is_code { names(&arg.plain()) } else { is_metadata(host(&arg.plain())) })
        || stdin.into_iter().any(|text| names(text))
}

/// Returns true if a host is one of these; an unknown part behind it begins its path.
fn is_metadata(host: &str) -> bool {
    METADATA.contains(&host.split(UNKNOWN).next().unwrap_or_default())
}

/// `dig "$(command).example.com"`.
pub(super) fn hides_in_names(call: &Call) -> bool {
    if !call.is(&["dig", "kdig", "drill", "delv", "nslookup", "host", "ping", "ping6", "resolvectl", "dog"]) {
        return false;
    }
    call.args().iter().any(|arg| {
        let behind = arg.as_str().rsplit_once(UNKNOWN).map(|(_, behind)| behind);
        let is_domain = |text: &str| text.starts_with('.') && text.trim_matches('.').contains('.');
        !arg.from_outside && behind.is_some_and(is_domain)
    })
}

/// Options of `curl` and `wget` that send data or credentials.
const SENDING: &[&str] = &[
    "d",
    "F",
    "T",
    "u",
    "--data",
    "--data-ascii",
    "--data-binary",
    "--data-raw",
    "--data-urlencode",
    "--json",
    "--form",
    "--form-string",
    "--upload-file",
    "--user",
    "--oauth2-bearer",
    "--post-data",
    "--post-file",
    "--body-data",
    "--body-file",
    "--password",
    "--http-password",
];
/// Headers with credentials.
const SECRET_HEADERS: &[&str] = &["authorization", "cookie", "x-api-key", "x-auth-token", "private-token"];

/// `curl -k -d …` to another machine.
pub(super) fn sends_unchecked(call: &Call) -> bool {
    let (letter, long_name, short) = match call.name() {
        "curl" | "curlie" => ("k", "--insecure", "dFTHXoAbcCDeEKmQrtuUwxyYzP"),
        "wget" | "wget2" => ("", "--no-check-certificate", "aeioOPQTUtwABDIlRX"),
        _ => return false,
    };
    let long: Vec<&str> = SENDING
        .iter()
        .filter_map(|name| name.strip_prefix("--"))
        .chain([
            "header",
            "request",
            "output",
            "method",
            "output-document",
            "proxy",
            "max-time",
            "cert",
            "key",
        ])
        .collect();
    let options = Options::parse(call.args(), Grammar { short, long: &long, anywhere: true });
    let is_unchecked = (!letter.is_empty() && options.has_letter(letter))
        || options.given.iter().any(|(name, _)| name == long_name);
    let sends = || options.given.iter().any(|(name, value)| sends(name, value.as_ref(), call.name()));
    is_unchecked && sends() && options.operands.iter().any(|address| !HERE.contains(&host(&address.plain())))
}

fn sends(name: &str, value: Option<&Arg>, program: &str) -> bool {
    if matches!(name, "H" | "--header") {
        let header = value.map(Arg::plain).unwrap_or_default().to_lowercase();
        return SECRET_HEADERS.iter().any(|secret| header.starts_with(secret));
    }
    // `wget` has other short options.
    SENDING.contains(&name) && (name.starts_with("--") || program.starts_with("curl"))
}

/// `scp file host:/etc/`.
pub(super) fn copies_to_system(call: &Call) -> bool {
    if !call.is(&["scp", "rsync", "pscp"]) {
        return false;
    }
    let options = Options::parse(call.args(), copying(call.name()));
    let is_trial = call.is(&["rsync"]) && (options.has_letter("n") || options.has_long("--dry-run"));
    let [_, .., target] = options.operands.as_slice() else { return false };
    let Some((host, path)) = target.as_str().split_once(':') else { return false };
    let path = path.trim_end_matches('/');
    let is_in = |folder: &&str| {
        path.strip_prefix(*folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let is_root = path.is_empty() && target.as_str().ends_with('/');
    !is_trial && !host.contains('/') && (is_root || SYSTEM.iter().any(is_in))
}

/// `python -m http.server` on a public address.
pub(super) fn serves_files(call: &Call) -> bool {
    let name = call.name();
    let words: Vec<&str> = call.args().iter().map(Arg::as_str).collect();
    let is_module = |pair: &[&str]| matches!(pair, ["-m", "http.server" | "SimpleHTTPServer"]);
    if name.starts_with("python") && words.windows(2).any(is_module) {
        let mut bound = words.iter().skip_while(|word| !matches!(**word, "-b" | "--bind"));
        let behind = bound.nth(1).copied();
        let glued = words.iter().find_map(|word| word.strip_prefix("--bind="));
        return !behind.or(glued).is_some_and(|address| HERE.contains(&address) && address != "0.0.0.0");
    }
    name == "php"
        && words.windows(2).any(|pair| matches!(pair, ["-S", address] if address.starts_with("0.0.0.0")))
}

/// The host of an address: `https://user@host:80/path`.
fn host(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    match host.rsplit_once(':') {
        Some((name, port)) if port.chars().all(|c| c.is_ascii_digit() || c == UNKNOWN) => name,
        _ => host,
    }
}
