//! `hookbox plugin sign`.

use crate::{
    args::SignArgs,
    exit::{ExitStatus, Fault},
    printer::{Printer, plain},
};

pub(super) fn sign(args: &SignArgs, _printer: &Printer) -> Result<ExitStatus, Fault> {
    let file = plain(&args.file.display().to_string());
    Err(Fault::Failed(format!("{file}: nothing is done with it yet")))
}
