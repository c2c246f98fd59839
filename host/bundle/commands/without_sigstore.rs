//! `hookbox plugin verify --sigstore-bundle` of a program that was built without it.

use std::path::Path;

use crate::{
    args::VerifyArgs,
    exit::{ExitStatus, Fault},
    printer::Printer,
};

pub(super) fn verify_sigstore(_: &VerifyArgs, _: &Path, _: &Path, _: &Printer) -> Result<ExitStatus, Fault> {
    Err(Fault::Usage(
        "this hookbox-bundle was built without sigstore; rebuild it: cargo build --release --features sigstore-verify \
         --bin hookbox-bundle"
            .to_owned(),
    ))
}
