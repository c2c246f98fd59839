//! Commands that download.

use crate::{
    arg::{Arg, Origin, STAR, Stream, UNKNOWN},
    call::{Call, Grammar, Options},
    scope::Scope,
};

/// Commands that print what they download.
pub(super) const FETCHERS: &[&str] = &[
    "curl", "wget", "fetch", "aria2c", "http", "https", "xh", "curlie", "lynx", "links", "elinks", "w3m",
    "nc", "ncat", "netcat", "socat", "telnet", "ftp", "dig", "drill", "finger", "host", "kdig", "lftp",
    "nslookup", "whois",
];

/// Download programs that only print: their options are not `curl`'s.
const PRINTERS: &[&str] = &[
    "lynx", "links", "elinks", "w3m", "nc", "ncat", "netcat", "socat", "telnet", "ftp", "dig", "drill",
    "finger", "host", "kdig", "lftp", "nslookup", "whois",
];

/// Returns the output of a download, which goes to standard output, or into a file that may be run later.
pub(super) fn of(call: &Call, scope: &mut Scope) -> Stream {
    let downloaded = Stream::from_origin(Origin { network: true, ..Origin::default() });
    if call.is(PRINTERS) {
        return downloaded;
    }
    let wget = call.is(&["wget"]);
    let options = parse(call);
    let names: &[&str] = if wget { &["O", "--output-document"] } else { &["o", "--output", "--out"] };
    let by_url = options.has_long("--remote-name") || (!wget && options.has_letter("O"));
    let file = match options.value(names).and_then(Arg::literal) {
        Some("-" | "/dev/stdout") => None,
        Some(file) => Some(file.to_owned()),
        None if wget || by_url => options.operands.iter().find_map(|url| url_name(&url.plain())),
        None => None,
    };
    match file {
        Some(file) => {
            let names: &[&str] = if wget { &["P", "--directory-prefix"] } else { &["--output-dir"] };
            let file = match options.value(names).and_then(Arg::literal) {
                Some(folder) => format!("{folder}/{file}"),
                None => file,
            };
            scope.write_file(&file, &downloaded, false);
            Stream::of("")
        }
        None => downloaded,
    }
}

fn parse(call: &Call) -> Options {
    let wget = call.is(&["wget"]);
    let short = if wget { "OPoaUeTtwQADi" } else { "oAbcdDeEFhHKmPQrtTuUwxXyYzC" };
    let long = [
        "output",
        "output-document",
        "output-dir",
        "directory-prefix",
        "header",
        "data",
        "user-agent",
        "request",
        "url",
        "form",
        "user",
    ];
    Options::parse(call.args(), Grammar { short, long: &long, anywhere: true })
}

/// Files that a download writes without an option that names them.
pub(crate) struct Download {
    /// The folder.
    pub(crate) folder: String,
    /// The files in it.
    pub(crate) files: Vec<String>,
    /// True if there may be other files, whose names the server chooses.
    pub(crate) is_open: bool,
}

impl Download {
    /// Reads the arguments of `curl`, `wget` or `aria2c`.
    pub(crate) fn of(call: &Call) -> Option<Self> {
        let name = call.name();
        let (folders, outputs, long): (&[&str], &[&str], &[&str]) = match name {
            "curl" => (&["--output-dir"], &["o", "--output"], &["output", "output-dir"]),
            "wget" => (&["P", "--directory-prefix"], &[], &[]),
            "aria2c" => (&["d", "--dir"], &["o", "--out"], &["dir", "out"]),
            _ => return None,
        };
        let aria = Grammar { short: "dosxjkm", long, anywhere: true };
        let options = if name == "aria2c" { Options::parse(call.args(), aria) } else { parse(call) };
        let by_url = match name {
            "curl" => options.has_letter("O") || options.has_long("--remote-name-all"),
            "wget" => options.value(&["O", "--output-document"]).is_none(),
            _ => options.value(outputs).is_none(),
        };
        let urls = options.operands.iter().filter(|_| by_url);
        let mut files: Vec<String> = urls.filter_map(|url| url_name(&url.plain())).collect();
        files.extend(options.value(outputs).map(|file| file.text.clone()));
        let folder = options.value(folders).map_or_else(|| ".".to_owned(), |folder| folder.text.clone());
        let is_open = by_url
            && (options.has_letter(if name == "curl" { "J" } else { "" })
                || options.has_long("--remote-header-name")
                || options.has_long("--content-disposition"));
        Some(Self { folder, files, is_open })
    }
}

fn url_name(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next()?;
    let name = path.rsplit('/').next()?;
    (!name.is_empty() && !name.contains([UNKNOWN, STAR])).then(|| name.to_owned())
}
