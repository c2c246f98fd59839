//! JavaScript and TypeScript: one file, made a component by the engine that hookbox brings. Neither Node nor npm is needed.

use std::path::PathBuf;

use super::{Job, Language};

pub(super) struct JavaScript;

pub(super) struct TypeScript;

impl Language for JavaScript {
    fn name(&self) -> &'static str {
        "javascript"
    }

    fn source(&self) -> &'static str {
        "hook.js"
    }

    fn build(&self, job: &Job<'_>) -> Result<PathBuf, String> {
        componentize(job)
    }
}

impl Language for TypeScript {
    fn name(&self) -> &'static str {
        "typescript"
    }

    fn source(&self) -> &'static str {
        "hook.ts"
    }

    fn build(&self, job: &Job<'_>) -> Result<PathBuf, String> {
        componentize(job)
    }
}

/// The one place that knows the engine.
fn componentize(job: &Job<'_>) -> Result<PathBuf, String> {
    Err(format!("{}: this hookbox has no engine for scripts", job.source))
}
