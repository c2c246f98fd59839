//! Shows which plugin is being compiled, and for how long.

use std::{
    path::Path,
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use hookbox::sandbox::compile::{CompileWatcher, Compiler};
use hookbox_app::Surroundings;

use crate::{printer::StatusLine, report};

/// Interval between two updates.
const SECOND: Duration = Duration::from_secs(1);
/// Maximum length of a plugin's name, characters: the line must fit the narrowest terminal, or it cannot be rewritten.
const MAX_NAME: usize = 24;

/// Returns surroundings whose compiler reports its progress.
pub(super) fn with_progress(surroundings: Surroundings) -> Surroundings {
    let compiler: Compiler = surroundings.compiler.with_watcher(Arc::new(Progress(StatusLine::new())));
    Surroundings { compiler, ..surroundings }
}

#[derive(Debug)]
struct Progress(StatusLine);

impl CompileWatcher for Progress {
    fn begins(&self, plugin: &Path) -> Box<dyn Send> {
        let name = shorten_name(plugin);
        self.0.show(&format!("compiling {name} …"));
        if self.0.is_live { Box::new(Ticking::start(self.0, name)) } else { Box::new(()) }
    }
}

fn shorten_name(plugin: &Path) -> String {
    let name = plugin.file_stem().unwrap_or_default().to_string_lossy();
    report::sanitize_line(&name).chars().take(MAX_NAME).collect()
}

/// A thread that rewrites the line each second, until this is dropped.
struct Ticking {
    line: StatusLine,
    /// Closed to end the thread.
    until: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticking {
    fn start(line: StatusLine, name: String) -> Self {
        let (until, ended) = mpsc::channel();
        let begun = Instant::now();
        let thread = thread::spawn(move || {
            while ended.recv_timeout(SECOND) == Err(RecvTimeoutError::Timeout) {
                line.show(&format!("compiling {name} … {} s", begun.elapsed().as_secs()));
            }
        });
        Self { line, until: Some(until), thread: Some(thread) }
    }
}

impl Drop for Ticking {
    fn drop(&mut self) {
        self.until = None;
        // Joined, so that the thread does not write over the next line.
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
        self.line.end();
    }
}
