use crate::{
    args::ProfileArgs,
    exit::{ExitStatus, Fault},
    printer::Printer,
};
pub(super) fn profile(_: &ProfileArgs, _: &Printer) -> Result<ExitStatus, Fault> {
    Err(Fault::Failed("later".into()))
}
