//! Commands whose words name files in ways of their own.

use super::{How, Written, file, git};
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    output::archive,
    wrapper::search,
};

/// The files that such a command writes.
pub(super) fn files(name: &str, call: &Call) -> Vec<Written> {
    match name {
        "dd" | "dcfldd" | "dc3dd" => {
            let value = |arg: &Arg| arg.as_str().strip_prefix("of=").map(file);
            call.args().iter().find_map(value).into_iter().collect()
        }
        "find" => found(call),
        "git" => git::files(call),
        "trash" | "trash-put" => whole(&Options::parse(call.args(), Grammar::ANYWHERE).operands),
        "gio" | "kioclient" => {
            let verb = call.args().first().map_or("", Arg::as_str);
            let rest = call.args().get(1..).unwrap_or_default();
            if matches!(verb, "trash" | "remove" | "move" | "rename") { whole(rest) } else { Vec::new() }
        }
        "mount" => mounted(call),
        "tar" | "bsdtar" => tar(call),
        "unzip" => unpacked(call, "d", ""),
        "7z" | "7za" | "7zr"
            if call.args().first().is_some_and(|verb| matches!(verb.as_str(), "x" | "e")) =>
        {
            unpacked(call, "o", "")
        }
        "cpio" => {
            let options = Options::parse(
                call.args(),
                Grammar { short: "DFEHRCMO", long: &["directory"], anywhere: true },
            );
            let letters = if options.has_letter("p") { options.operands.last() } else { None };
            let into = options.value(&["D", "--directory"]).or(letters);
            let takes_out = options.has_letter("ip") || options.has_long("--extract");
            let into = into.map_or(".", Arg::as_str);
            if takes_out { vec![Written::new(into, How::Filled)] } else { Vec::new() }
        }
        _ => Vec::new(),
    }
}

fn whole(paths: &[Arg]) -> Vec<Written> {
    paths.iter().map(|arg| Written::new(arg.as_str(), How::Whole)).collect()
}

/// What a search deletes, and where it writes what it finds.
fn found(call: &Call) -> Vec<Written> {
    let search = search(call);
    let how = if search.is_narrow { How::Itself } else { How::Whole };
    let deleted = search.hits().into_iter().filter(|_| search.deletes);
    deleted.map(|path| Written { path, how }).collect()
}

/// Something else stands where it is mounted, for as long as it is.
fn mounted(call: &Call) -> Vec<Written> {
    let options =
        Options::parse(call.args(), Grammar { short: "otLUN", long: &["options", "types"], anywhere: true });
    let target = options.operands.last().filter(|_| options.operands.len() > 1);
    target.map(|arg| Written::new(arg.as_str(), How::Whole)).into_iter().collect()
}

/// What `tar` takes out of an archive goes below a folder; what it puts in may go afterwards.
fn tar(call: &Call) -> Vec<Written> {
    if call.has_arg("--remove-files") {
        let options = Options::parse(
            call.args(),
            Grammar { short: "fC", long: &["file", "directory"], anywhere: true },
        );
        return whole(&options.operands);
    }
    if !extracts(call) {
        return archive(call).map(|path| file(&path)).into_iter().collect();
    }
    let long = &["directory", "file", "exclude", "transform", "strip-components", "one-top-level"];
    let mut rest = call.args().to_vec();
    // `tar xfC file folder`: letters without a dash, their values behind.
    if let Some(first) = rest.first_mut().filter(|first| !first.as_str().starts_with('-')) {
        *first = Arg::new(format!("-{}", first.as_str().replace('f', "")));
    }
    let options = Options::parse(&rest, Grammar { short: "CfXTI", long, anywhere: true });
    let into = options.value(&["C", "--directory"]).map_or(".", Arg::as_str);
    let mut written = vec![Written::new(into, How::Filled)];
    let top = options.value(&["--one-top-level"]).map(|top| format!("{into}/{}", top.as_str()));
    written.extend(top.map(|top| Written::new(&top, How::Filled)));
    // The files that it is to take out, if some are named; the archive's own name is no loss.
    written.extend(
        options.operands.iter().map(|arg| Written::new(&format!("{into}/{}", arg.as_str()), How::Filled)),
    );
    written
}

/// Whether `tar` takes files out: `xf`, `-xzf`, `--extract`.
fn extracts(call: &Call) -> bool {
    let letters = |at: usize, text: &str| {
        let text = text.strip_prefix('-').or((at == 0).then_some(text));
        text.is_some_and(|letters| !letters.starts_with('-') && letters.contains('x'))
    };
    call.args()
        .iter()
        .enumerate()
        .any(|(at, arg)| letters(at, arg.as_str()) || matches!(arg.as_str(), "--extract" | "--get"))
}

/// The folder that an archive is unpacked into.
fn unpacked(call: &Call, short: &str, long: &str) -> Vec<Written> {
    let options = Options::parse(call.args(), Grammar { short, long: &[long], anywhere: true });
    let lists = call.is(&["unzip"]) && options.has_letter("lptvZz");
    let into = options.value(&[short]).map_or(".", Arg::as_str);
    if lists { Vec::new() } else { vec![Written::new(into, How::Filled)] }
}
