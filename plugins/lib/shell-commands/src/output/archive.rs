//! Files that a command makes from others, other than by its output.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
};

/// The file that an archiver, an encoder or `dd` writes, if its arguments name one.
pub(super) fn made(call: &Call) -> Option<String> {
    let file = match call.name() {
        "tar" | "gtar" | "bsdtar" => tar(call.args())?,
        "zip" => Options::parse(call.args(), Grammar::ANYWHERE).operands.first()?.clone(),
        "7z" | "7za" => Options::parse(call.args(), Grammar::ANYWHERE).operands.get(1)?.clone(),
        "gpg" | "sort" | "xxd" => option(call.args(), "o", "output")?,
        "openssl" => behind(call.args(), "-out")?,
        "dd" => Arg::new(call.args().iter().find_map(|arg| arg.as_str().strip_prefix("of="))?),
        _ => return None,
    };
    file.literal().filter(|file| *file != "-").map(str::to_owned)
}

fn option(args: &[Arg], short: &str, long: &str) -> Option<Arg> {
    let options = Options::parse(args, Grammar { short, long: &[long], anywhere: true });
    options.value(&[short, &format!("--{long}")]).cloned()
}

/// `tar cf file …`, `tar -czf file …`, `tar -c --file=file …`.
fn tar(args: &[Arg]) -> Option<Arg> {
    let (first, rest) = args.split_first()?;
    let letters = first.as_str();
    if !letters.starts_with('-') {
        return letters.contains('f').then(|| rest.first().cloned())?;
    }
    option(args, "f", "file")
}

fn behind(args: &[Arg], option: &str) -> Option<Arg> {
    let at = args.iter().position(|arg| arg.as_str() == option)?;
    args.get(at + 1).cloned()
}
