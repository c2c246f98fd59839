//! Python: componentize-py, which includes the interpreter. WASI is stubbed out, so that a hook knows only the facts that
//! hookbox passes to it.

use std::path::{Path, PathBuf};

use hookbox_app::plugin_home::BUILD_TIME;

use super::{BuildJob, Language};
use crate::{
    printer::to_plain_line,
    tool::{Call, Tool},
};

pub(super) static LANGUAGE: Language = Language {
    name: "python",
    source: "app.py",
    endings: &["py"],
    set_up: &["pip install componentize-py==0.25.1      # once"],
    takes_time: true,
    build: build_module,
};

const COMPONENTIZE: Tool = Tool {
    words: &["componentize-py"],
    probe: &[],
    tried: "0.25.1",
    get: "pip install componentize-py==0.25.1",
};

fn build_module(job: &BuildJob<'_>) -> Result<PathBuf, String> {
    let tool = Tool::find_first(&[COMPONENTIZE])?;
    let source = Path::new(job.source);
    let module = source.file_stem().ok_or("the source has no name")?;
    let folder = source.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let call = Call::new(&tool, job.folder)
        .with_words(["-d", "hookbox/wit", "-w", "hook", "componentize", "--stub-wasi", "-p"])
        .with_words([folder])
        .with_words(["-p", "hookbox"])
        .with_words([module])
        .with_words(["-o"])
        .with_words([job.made()])
        // Python itself reports a wrong line of the hook; the backtrace of componentize-py is of no use.
        .with_variable("RUST_BACKTRACE", "0")
        .with_temporary_folder(job.work);
    call.run_within(job.time.unwrap_or(BUILD_TIME), &describe_timeout(job), job.printer)?;
    Ok(job.made())
}

/// Advice for a source whose top level does not end.
fn describe_timeout(job: &BuildJob<'_>) -> String {
    format!(
        "the build runs the top level of {}, outside of its functions, which must end; if it ends and this machine is slow, raise the \
         limit: hookbox plugin build --timeout SECONDS",
        to_plain_line(job.shown)
    )
}
