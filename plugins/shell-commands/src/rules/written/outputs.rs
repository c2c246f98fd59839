//! Files that programs write because an option, a place among the words or a name behind a colon says so.

use super::{Written, file};
use crate::{
    arg::{Arg, UNKNOWN},
    call::{Call, Grammar, Options},
    wrapper::option_values,
};

/// Programs, and their options whose value is a file that they write.
const OPTIONS: &[(&[&str], &[&str])] = &[
    (
        &[
            "age", "as", "base64", "c++", "c99", "cc", "clang", "clang++", "g++", "gcc", "gfortran", "go",
            "gpg", "gpg2", "iconv", "indent", "ld", "nasm", "ocamlopt", "pandoc", "psql", "rustc", "shuf",
            "sqlcmd", "strace", "ltrace", "tcc", "time", "gtime", "tsc", "uudecode", "esbuild", "swiftc",
            "ghc", "protoc", "wasm-opt", "objdump",
        ],
        &["-o", "--output", "--output-file", "--out-file"],
    ),
    (&["csplit"], &["-f", "--prefix"]),
    (&["find", "gfind"], &["-fprint", "-fprint0", "-fprintf", "-fls"]),
    (&["logrotate"], &["-s", "--state", "-l", "--log"]),
    (&["mktemp"], &["-p", "--tmpdir"]),
    (&["openssl"], &["-out", "-keyout"]),
    (&["ssh-keygen"], &["-f"]),
    (&["script"], &["-O", "-B", "-T", "--log-out", "--log-io"]),
];
/// Programs whose operand at this place, if it is there, is written.
const PLACED: &[(&[&str], usize, &str)] = &[
    (&["uniq"], 1, "fsw"),
    (&["xxd"], 1, "cglnosR"),
    (&["split", "gsplit"], 1, "abClnt"),
    (&["objcopy", "strip"], 1, "OIFBjRKNLGW"),
    (&["zip"], 0, "bntxi"),
    (&["script"], 0, "cIOBTmoE"),
    (&["mknod"], 0, "mZ"),
];
/// Programs that write each operand, and how many stand before these.
const EACH: &[(&[&str], usize, &str)] =
    &[(&["mkfifo"], 0, "m"), (&["mktemp"], 0, "p"), (&["rename", "prename"], 1, "")];
/// Programs that put a file in the place of another one with a longer or shorter name.
const PACKERS: &[&str] = &[
    "brotli",
    "bunzip2",
    "bzip2",
    "compress",
    "gunzip",
    "gzip",
    "lz4",
    "lzma",
    "pigz",
    "uncompress",
    "unxz",
    "unzstd",
    "xz",
    "zstd",
];

/// The files that a command writes so.
pub(super) fn files(name: &str, call: &Call) -> Vec<Written> {
    let mut paths: Vec<String> = Vec::new();
    for (_, options) in OPTIONS.iter().filter(|(names, _)| names.contains(&name)) {
        paths.extend(option_values(call.args(), options));
    }
    for (_, place, short) in PLACED.iter().filter(|(names, ..)| names.contains(&name)) {
        let options = Options::parse(call.args(), Grammar { short, ..Grammar::ANYWHERE });
        paths.extend(options.operands.get(*place).map(|arg| arg.text.clone()));
    }
    for (_, before, short) in EACH.iter().filter(|(names, ..)| names.contains(&name)) {
        let options = Options::parse(call.args(), Grammar { short, ..Grammar::ANYWHERE });
        paths.extend(options.operands.iter().skip(*before).map(|arg| arg.text.clone()));
    }
    match name {
        "ffmpeg" => paths.extend(call.args().last().map(|arg| arg.text.clone())),
        "docker" | "podman" | "nerdctl" | "kubectl" | "oc" if call.has_arg("cp") => {
            paths.extend(taken_out(call));
        }
        "curl" | "wget" => paths.extend(named_by_address(name, call)),
        "sqlite3" => paths.extend(call.args().iter().filter_map(redirected)),
        name if PACKERS.contains(&name) => paths.extend(packed(call)),
        _ => {}
    }
    paths.iter().map(|path| file(path)).collect()
}

/// `docker cp container:path file`.
fn taken_out(call: &Call) -> Option<String> {
    let options = Options::parse(call.args(), Grammar { short: "cn", ..Grammar::ANYWHERE });
    options.operands.last().map(|arg| arg.text.clone()).filter(|path| !path.contains(':'))
}

/// What is called as its address ends comes into the folder that the command runs in.
fn named_by_address(name: &str, call: &Call) -> Option<String> {
    let options = Options::parse(call.args(), Grammar { short: "oAbdeFHmuUwxXyYzKT", ..Grammar::ANYWHERE });
    let printed = options.has_letter("O") || options.has_long("--output-document");
    let by_address =
        if name == "wget" { !printed } else { options.has_letter("OJ") || options.has_long("--remote-name") };
    by_address.then(|| UNKNOWN.to_string())
}

/// `.output file`
fn redirected(arg: &Arg) -> Option<String> {
    let text = arg.plain();
    let rest = [".output ", ".once ", ".log ", ".save ", ".backup ", ".clone "]
        .iter()
        .find_map(|verb| text.strip_prefix(verb));
    rest.map(|path| path.trim().to_owned())
}

fn packed(call: &Call) -> Vec<String> {
    let options = Options::parse(call.args(), Grammar { short: "S", ..Grammar::ANYWHERE });
    if options.has_letter("cklt") || options.has_long("--stdout") || options.has_long("--keep") {
        return Vec::new();
    }
    let unpacked = |path: &str| path.rsplit_once('.').map(|(stem, _)| stem.to_owned());
    let both = |arg: &Arg| [Some(arg.text.clone()), unpacked(arg.as_str())];
    options.operands.iter().flat_map(both).flatten().collect()
}
