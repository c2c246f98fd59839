//! Files that programs put into an archive, an image or another machine, or print with an option.

use super::{Read, Reading};
use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    wrapper::option_values,
};

/// The files that such a program reads.
pub(super) fn files(name: &str, call: &Call, printed: &Reading) -> Vec<Read> {
    if name == "openssl" && is_key_tool(call) {
        return keys(call, printed);
    }
    let paths: Vec<String> = match name {
        "tar" | "bsdtar" => tar(call.args()),
        "zip" => operands(call.args(), "bntxi").into_iter().skip(1).collect(),
        "7z" | "7za" | "7zz" if call.args().first().is_some_and(|verb| verb.as_str() == "a") => {
            operands(call.args(), "").into_iter().skip(2).collect()
        }
        "dd" => {
            call.args().iter().filter_map(|arg| arg.as_str().strip_prefix("if=")).map(str::to_owned).collect()
        }
        "openssl" if is_encoder(call) => option_values(call.args(), &["-in"]),
        "docker" | "podman" | "nerdctl" | "kubectl" | "oc" => put_in(call.args()),
        "curl" | "wget" => {
            let address = |arg: &Arg| arg.as_str().strip_prefix("file://").map(str::to_owned);
            call.args().iter().filter_map(address).collect()
        }
        "perl" | "ruby" => each_line(call.args()),
        "xargs" | "parallel" => option_values(call.args(), &["-a", "--arg-file"]),
        "date" | "gdate" | "file" => option_values(call.args(), &["-f", "--file", "--files-from"]),
        "sqlite3" => {
            let reads = |arg: &Arg| {
                let text = arg.plain();
                let rest = text.strip_prefix(".read ").or_else(|| text.strip_prefix(".import "))?;
                rest.split_whitespace().next().map(str::to_owned)
            };
            call.args().iter().filter_map(reads).collect()
        }
        "make" | "gmake" => option_values(call.args(), &["-f", "--file", "--makefile"]),
        "dotenv" | "dotenvx" if prints_variables(call.args()) => {
            option_values(call.args(), &["-f", "-e", "--env-file"])
        }
        "sops" | "age" | "gpg" | "gpg2"
            if call.args().iter().any(|arg| DECRYPTING.contains(&arg.as_str())) =>
        {
            operands(call.args(), "")
        }
        _ => Vec::new(),
    };
    paths.iter().map(|path| Read::new(path, Reading::Shown)).collect()
}

/// Options and verbs that print a secret that is stored encrypted.
const DECRYPTING: &[&str] =
    &["-d", "--decrypt", "decrypt", "--enarmor", "--store", "--clearsign", "--clear-sign"];

/// `dotenv -f .env list`, `dotenvx get -f .env`.
fn prints_variables(args: &[Arg]) -> bool {
    args.iter().any(|arg| matches!(arg.as_str(), "list" | "get" | "ls" | "keypair" | "printenv" | "env"))
}

/// Returns true if `openssl` shows or changes a private key.
fn is_key_tool(call: &Call) -> bool {
    call.args()
        .first()
        .is_some_and(|verb| matches!(verb.as_str(), "rsa" | "dsa" | "ec" | "pkey" | "pkcs8" | "pkcs12"))
}

/// The key itself is printed unless only its public half is, or nothing.
fn keys(call: &Call, printed: &Reading) -> Vec<Read> {
    let hides = call.has_arg("-pubout") || call.has_arg("-noout") || call.has_arg("-RSAPublicKey_out");
    let into = option_values(call.args(), &["-out"]);
    let how = match into.is_empty() {
        _ if hides && !call.has_arg("-text") => Reading::Used,
        true => printed.clone(),
        false => Reading::Copied(into),
    };
    option_values(call.args(), &["-in"]).iter().map(|path| Read::new(path, how.clone())).collect()
}

fn operands(args: &[Arg], short: &str) -> Vec<String> {
    let options = Options::parse(args, Grammar { short, long: &[], anywhere: true });
    options.operands.into_iter().map(|arg| arg.text).collect()
}

/// Returns the files that `tar` puts into an archive.
fn tar(args: &[Arg]) -> Vec<String> {
    let mut args = args.to_vec();
    let Some(first) = args.first_mut() else { return Vec::new() };
    let letters = first.text.clone();
    let is_old = !letters.starts_with('-');
    if is_old {
        *first = Arg::new(format!("-{letters}"));
    }
    let long =
        &["file", "directory", "exclude", "exclude-from", "transform", "files-from", "use-compress-program"];
    let options = Options::parse(&args, Grammar { short: "fCXTI", long, anywhere: true });
    let creates = options.has_letter("cru")
        || ["--create", "--append", "--update"].iter().any(|long| options.has_long(long));
    if creates { options.operands.into_iter().map(|arg| arg.text).collect() } else { Vec::new() }
}

/// `openssl base64 -in file`: its bytes in other letters.
pub(super) fn is_encoder(call: &Call) -> bool {
    call.is(&["openssl"])
        && call.args().first().is_some_and(|verb| matches!(verb.as_str(), "base64" | "enc" | "asn1parse"))
}

/// `docker cp file container:path`.
fn put_in(args: &[Arg]) -> Vec<String> {
    let words: Vec<String> = operands(args, "cn");
    let is_copy = words.iter().position(|word| word == "cp");
    let paths = is_copy.and_then(|at| words.get(at + 1..)).unwrap_or_default();
    match paths {
        [from, to] if to.contains(':') && !from.contains(':') => vec![from.clone()],
        _ => Vec::new(),
    }
}

/// `perl -ne 'print' file`.
fn each_line(args: &[Arg]) -> Vec<String> {
    let options = Options::parse(args, Grammar { short: "eEIMm", long: &[], anywhere: false });
    let prints = options.has_letter("np") && options.value(&["e", "E"]).is_some() && !options.has_letter("i");
    if prints { options.operands.into_iter().map(|arg| arg.text).collect() } else { Vec::new() }
}
