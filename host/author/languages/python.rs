//! Python: componentize-py, which brings the interpreter. WASI is stubbed out, so that a hook knows of the world what hookbox tells it.

use std::path::{Path, PathBuf};

use super::{Job, Language};
use crate::tool::{Call, Tool};

pub(super) struct Python;

const COMPONENTIZE: Tool = Tool {
    words: &["componentize-py"],
    probe: &[],
    tried: "0.25.1",
    get: "pip install componentize-py==0.25.1",
};

impl Language for Python {
    fn name(&self) -> &'static str {
        "python"
    }

    fn source(&self) -> &'static str {
        "app.py"
    }

    fn set_up(&self) -> &'static [&'static str] {
        &["pip install componentize-py==0.25.1      # once"]
    }

    fn build(&self, job: &Job<'_>) -> Result<PathBuf, String> {
        let tool = Tool::first(&[COMPONENTIZE])?;
        let source = Path::new(job.source);
        let module = source.file_stem().ok_or("the source has no name")?;
        let folder =
            source.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let call = Call::new(&tool, job.folder)
            .words(["-d", "hookbox/wit", "-w", "hook", "componentize", "--stub-wasi", "-p"])
            .words([folder])
            .words(["-p", "hookbox"])
            .words([module])
            .words(["-o"])
            .words([job.made()])
            // A wrong line of the hook's is told by Python; what componentize-py called inside helps nobody.
            .variable("RUST_BACKTRACE", "0");
        call.run(job.printer)?;
        Ok(job.made())
    }
}
