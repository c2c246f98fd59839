//! `hookbox plugin verify`.

use crate::{
    args::VerifyArgs,
    exit::{ExitStatus, Fault},
    printer::{Printer, plain},
};

pub(super) fn verify(args: &VerifyArgs, _printer: &Printer) -> Result<ExitStatus, Fault> {
    let file = plain(&args.file.display().to_string());
    Err(Fault::Failed(format!("{file}: nothing is done with it yet")))
}
