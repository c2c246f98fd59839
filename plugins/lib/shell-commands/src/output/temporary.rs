//! Folders that a command line makes for a while.

use crate::{
    arg::Stream,
    call::{Call, Grammar, Options},
    scope::Scope,
};

/// The new folder that `mktemp -d` prints, for who asks which files are touched: another one each time.
pub(crate) fn made_folder(call: &Call, scope: &Scope, number: usize) -> Option<Stream> {
    if !call.touches || !call.is(&["mktemp", "gmktemp"]) {
        return None;
    }
    let options = Options::parse(call.args(), Grammar { short: "pt", long: &["suffix"], anywhere: true });
    let is_folder = options.has_letter("d") || options.has_long("--directory");
    // Elsewhere it may be a folder that is there already.
    let is_usual = scope.get("TMPDIR").is_none()
        && options.value(&["p", "--tmpdir"]).is_none()
        && options.operands.iter().all(|template| template.literal().is_some_and(is_name_or_temporary));
    (is_folder && is_usual).then(|| Stream::of(format!("/tmp/tmp.{number}\n")))
}

fn is_name_or_temporary(template: &str) -> bool {
    template.starts_with("/tmp/") && !template.contains("..")
}
