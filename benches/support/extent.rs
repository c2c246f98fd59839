//! Amount of work in a benchmark: everything, or each thing once, so that the gate checks that it still runs.

use std::{
    env,
    path::{Path, PathBuf},
};

/// Amount of repetitions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// As many repetitions as the figures need; with the programs that users get.
    Full,
    /// `--test`, as `criterion` calls it: the figures are meaningless; the programs are from the build of the benchmark.
    Once,
}

impl Extent {
    /// Reads the extent from the command line. `None` without `--bench`: `cargo test --all-targets` starts benchmarks too.
    pub(crate) fn of_this_run() -> Option<Self> {
        let has = |word: &str| env::args().any(|argument| argument == word);
        has("--bench").then(|| if has("--test") { Self::Once } else { Self::Full })
    }

    /// Returns this number of rounds, if everything is measured.
    pub(crate) fn limit_rounds(self, full: usize) -> usize {
        if self == Self::Full { full } else { 1 }
    }

    /// Returns the path of one of the two programs.
    ///
    /// # Panics
    /// If the program was not built.
    pub(crate) fn program_path(self, name: &str) -> PathBuf {
        match self {
            Self::Full => built_path(&format!("dist/{name}")),
            Self::Once => Path::new(env!("CARGO_BIN_EXE_hookbox")).with_file_name(name),
        }
    }
}

/// Returns the path of an output of `cargo xtask build` or `cargo xtask plugins` in the target folder.
pub(crate) fn built_path(name: &str) -> PathBuf {
    let path = target_folder().join(name);
    assert!(path.exists(), "{} is not there: run `cargo xtask bench`, which builds it", path.display());
    path
}

/// Returns the target folder: the benchmark runs from `<target>/<profile>/deps`.
pub(crate) fn target_folder() -> PathBuf {
    env::current_exe()
        .map(|program| program.ancestors().nth(3).map(Path::to_owned))
        .ok()
        .flatten()
        .unwrap_or_default()
}
