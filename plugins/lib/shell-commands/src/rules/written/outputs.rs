//! Files that programs write, named by an option, a place among the words or a name behind a colon.

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
            "age",
            "as",
            "base64",
            "c++",
            "c99",
            "cc",
            "clang",
            "clang++",
            "g++",
            "gcc",
            "gfortran",
            "go",
            "gpg",
            "gpg2",
            "iconv",
            "indent",
            "ld",
            "nasm",
            "ocamlopt",
            "pandoc",
            "psql",
            "rustc",
            "shuf",
            "sqlcmd",
            "strace",
            "ltrace",
            "tcc",
            "time",
            "gtime",
            "tsc",
            "uudecode",
            "esbuild",
            "swiftc",
            "ghc",
            "protoc",
            "wasm-opt",
            "wasm-tools",
            "wasm2wat",
            "objdump",
        ],
        &["-o", "--output", "--output-file", "--out-file"],
    ),
    (&["csplit"], &["-f", "--prefix"]),
    (&["gem"], &["-i", "--install-dir", "-n", "--bindir"]),
    (&["gcc", "g++", "cc", "c++", "clang", "clang++"], &["-MF", "-dumpdir"]),
    (&["mysql", "mariadb"], &["--tee"]),
    (&["mysqldump", "mariadb-dump"], &["-r", "--result-file"]),
    (&["nmap"], &["-oN", "-oX", "-oG", "-oA", "-oS"]),
    (&["pg_dump", "pg_dumpall"], &["-f", "--file"]),
    (&["pip", "pip3"], &["-t", "--target", "-d", "--dest", "-w", "--wheel-dir", "--src"]),
    (&["psql"], &["-L"]),
    (&["redis-cli"], &["--rdb"]),
    (&["ssh"], &["-E"]),
    (&["tcpdump", "tshark", "dumpcap"], &["-w"]),
    (&["tree"], &["-o"]),
    (&["less", "more"], &["-o", "-O"]),
    (&["gh"], &["-D", "--dir", "-O"]),
    (&["http", "https", "xh"], &["-o"]),
    (&["history"], &["-a", "-w"]),
    (&["find", "gfind"], &["-fprint", "-fprint0", "-fprintf", "-fls"]),
    (&["logrotate"], &["-s", "--state", "-l", "--log"]),
    (&["mktemp"], &["-p", "--tmpdir"]),
    (&["openssl"], &["-out", "-keyout"]),
    (&["ssh-keygen"], &["-f"]),
    (
        &["rsync"],
        &["--backup-dir", "--partial-dir", "--temp-dir", "-T", "--write-batch", "--only-write-batch"],
    ),
    (&["script"], &["-O", "-B", "-T", "--log-out", "--log-io"]),
];
/// Options of any program whose value is a file or folder to write.
const ANY: &[&str] = &[
    "--cidfile",
    "--dest",
    "--destination",
    "--dump-header",
    "--export",
    "--iidfile",
    "--install-dir",
    "--log",
    "--log-file",
    "--logfile",
    "--metadata-file",
    "--out",
    "--out-dir",
    "--out-file",
    "--outdir",
    "--outfile",
    "--output",
    "--output-dir",
    "--output-directory",
    "--output-file",
    "--pid-file",
    "--pidfile",
    "--prefix",
    "--report",
    "--report-file",
    "--result-file",
    "--root",
    "--save",
    "--target",
    "--target-dir",
    "--trace",
    "--trace-file",
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
    (&["patch"], 0, "BDdFgiopprVYz"),
];
/// Programs that write each operand, with the number of operands before these.
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

/// Returns true if a table here lists the operands that a program writes to.
pub(super) fn is_placed(name: &str) -> bool {
    matches!(name, "ar" | "gar" | "llvm-ar")
        || PACKERS.contains(&name)
        || PLACED.iter().any(|(names, ..)| names.contains(&name))
        || EACH.iter().any(|(names, ..)| names.contains(&name))
}

/// The files that a command writes so.
pub(super) fn files(name: &str, call: &Call) -> Vec<Written> {
    let mut paths: Vec<String> = Vec::new();
    for (_, options) in OPTIONS.iter().filter(|(names, _)| names.contains(&name)) {
        paths.extend(option_values(call.args(), options));
    }
    paths.extend(option_values(call.args(), ANY));
    for (_, place, short) in PLACED.iter().filter(|(names, ..)| names.contains(&name)) {
        let options = Options::parse(call.args(), Grammar { short, ..Grammar::ANYWHERE });
        paths.extend(options.operands.get(*place).map(|arg| arg.text.clone()));
    }
    for (_, before, short) in EACH.iter().filter(|(names, ..)| names.contains(&name)) {
        let options = Options::parse(call.args(), Grammar { short, ..Grammar::ANYWHERE });
        paths.extend(options.operands.iter().skip(*before).map(|arg| arg.text.clone()));
    }
    match name {
        // `ar r file`, `ar -r file`
        "ar" | "gar" | "llvm-ar" => {
            let words = call.args().iter().skip(1).filter(|arg| !arg.as_str().starts_with('-'));
            paths.extend(words.take(1).map(|arg| arg.text.clone()));
        }
        // `gh repo clone name folder`, `sftp host:file file`
        "gh" if call.has_arg("clone") => {
            let words = call.args().iter().take_while(|arg| arg.as_str() != "--");
            let words: Vec<&Arg> = words.filter(|arg| !arg.as_str().starts_with('-')).collect();
            let named = words.get(3).map(|arg| arg.text.clone());
            paths.extend(named.or_else(|| repository_name(words.get(2)?.as_str())));
        }
        "sftp" => {
            let options =
                Options::parse(call.args(), Grammar { short: "BbcDFiJloPRSsX", ..Grammar::ANYWHERE });
            paths.extend(options.operands.get(1).map(|arg| arg.text.clone()));
        }
        "cargo" | "uv" if ["new", "init", "venv"].iter().any(|verb| call.has_arg(verb)) => {
            let words = call.args().iter().filter(|arg| !arg.as_str().starts_with('-'));
            paths.extend(words.skip(1).map(|arg| arg.text.clone()));
        }
        // `dasel put -f file`
        "dasel" if call.has_arg("put") || call.has_arg("delete") => {
            paths.extend(option_values(call.args(), &["-f", "--file"]));
        }
        "sops" if call.has_arg("-i") || call.has_arg("--in-place") => {
            let words = call.args().iter().filter(|arg| !arg.as_str().starts_with('-'));
            paths.extend(words.map(|arg| arg.text.clone()));
        }
        "ffmpeg" => paths.extend(call.args().last().map(|arg| arg.text.clone())),
        "docker" | "podman" | "nerdctl" | "kubectl" | "oc" if call.has_arg("cp") => {
            paths.extend(taken_out(call));
        }
        "docker" | "podman" | "nerdctl" | "buildah" if !call.has_arg("run") && !call.has_arg("exec") => {
            paths.extend(option_values(call.args(), &["-o", "--output"]).iter().map(|value| exported(value)));
        }
        "curl" | "wget" => paths.extend(named_by_address(name, call)),
        "socat" => paths.extend(call.args().iter().filter_map(opened)),
        name if PACKERS.contains(&name) => paths.extend(packed(call)),
        _ => {}
    }
    paths.iter().map(|path| file(path)).collect()
}

/// Returns the name of a clone: `name` of `https://host/owner/name.git`, `host:owner/name`.
pub(super) fn repository_name(address: &str) -> Option<String> {
    let name = address.trim_end_matches('/').rsplit(['/', ':']).next()?;
    Some(name.strip_suffix(".git").unwrap_or(name).to_owned()).filter(|name| !name.is_empty())
}

/// `type=local,dest=folder`
fn exported(value: &str) -> String {
    value.split(',').find_map(|part| part.strip_prefix("dest=")).unwrap_or(value).to_owned()
}

/// `docker cp container:path file`: a folder keeps its name in one.
fn taken_out(call: &Call) -> Vec<String> {
    let options = Options::parse(call.args(), Grammar { short: "cn", ..Grammar::ANYWHERE });
    let [.., source, target] = options.operands.as_slice() else { return Vec::new() };
    if target.as_str().contains(':') {
        return Vec::new();
    }
    let own = source.as_str().trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or_default();
    vec![target.text.clone(), format!("{}/{own}", target.as_str().trim_end_matches('/'))]
}

/// Returns the folder that the command runs in, if a download there is named by the end of its address.
fn named_by_address(name: &str, call: &Call) -> Option<String> {
    let options = Options::parse(call.args(), Grammar { short: "oAbdeFHmuUwxXyYzKT", ..Grammar::ANYWHERE });
    let printed = options.has_letter("O") || options.has_long("--output-document");
    let by_address =
        if name == "wget" { !printed } else { options.has_letter("OJ") || options.has_long("--remote-name") };
    by_address.then(|| UNKNOWN.to_string())
}

/// `socat - CREATE:file`
fn opened(arg: &Arg) -> Option<String> {
    let (verb, rest) = arg.as_str().split_once(':')?;
    let writes = matches!(verb.to_lowercase().as_str(), "create" | "creat" | "file" | "gopen" | "open");
    writes.then(|| rest.split(',').next().unwrap_or_default().to_owned())
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
