//! Commands that download.

use crate::{
    arg::{Arg, Origin, STAR, Stream, UNKNOWN},
    call::{Call, Grammar, Options},
    scope::Scope,
};

/// Commands that print what they download.
pub(super) const FETCHERS: &[&str] = &[
    "curl", "wget", "fetch", "aria2c", "http", "https", "xh", "curlie", "lynx", "links", "elinks", "w3m",
    "nc", "ncat", "netcat", "socat", "telnet", "ftp",
];

/// Those of them that only print: their options are not `curl`'s.
const PRINTERS: &[&str] =
    &["lynx", "links", "elinks", "w3m", "nc", "ncat", "netcat", "socat", "telnet", "ftp"];

/// What is downloaded goes to the output, or into a file that may be run later.
pub(super) fn of(call: &Call, scope: &mut Scope) -> Stream {
    let downloaded = Stream::from_origin(Origin { network: true, ..Origin::default() });
    if call.is(PRINTERS) {
        return downloaded;
    }
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
    let options = Options::parse(call.args(), Grammar { short, long: &long, anywhere: true });
    let names: &[&str] = if wget { &["O", "--output-document"] } else { &["o", "--output", "--out"] };
    let by_url = options.has_long("--remote-name") || (!wget && options.has_letter("O"));
    let file = match options.value(names).and_then(Arg::literal) {
        Some("-" | "/dev/stdout") => None,
        Some(file) => Some(file.to_owned()),
        None if wget || by_url => options.operands.iter().find_map(|url| url_name(url.as_str())),
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

fn url_name(url: &str) -> Option<String> {
    let path = url.split(['?', '#']).next()?;
    let name = path.rsplit('/').next()?;
    (!name.is_empty() && !name.contains([UNKNOWN, STAR])).then(|| name.to_owned())
}
