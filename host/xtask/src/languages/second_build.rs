//! A second build of a plugin: in another folder, with another home, and without the caches of the first build. The result has the same
//! bytes, or the reason for the difference is listed.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::packages::empty_folder;
use crate::process::Process;
use crate::project::Project;

/// Languages whose tools may write different bytes each time, with the reason. The difference is allowed but not required.
const VARIES: [(&str, &str); 1] = [(
    "python",
    "componentize-py writes in another order each time, around a memory with a random number in it",
)];

/// Another build folder and home, with the variables that replace caches.
pub(super) struct SecondBuildPlace {
    place: PathBuf,
    cache: PathBuf,
    variables: Vec<(&'static str, PathBuf)>,
}

impl SecondBuildPlace {
    /// Creates a folder at the depth of the first one, for projects with a relative path to the SDK.
    pub(super) fn new(project: &Project) -> Result<Self> {
        let all = std::env::temp_dir().join(format!("hookbox-again-{}", std::process::id()));
        let place = empty_folder(&all)?;
        symlink(project.root.join("sdk"), place.join("sdk"))?;
        let home = std::env::var_os("HOME").map(PathBuf::from).context("there is no HOME")?;
        let of_home =
            |name: &str, usual: &str| std::env::var_os(name).map_or(home.join(usual), PathBuf::from);
        let crates = empty_folder(&place.join("crates"))?;
        // Links the first build's downloads, under other names.
        for name in ["registry", "config.toml"] {
            let there = of_home("CARGO_HOME", ".cargo").join(name);
            if there.exists() {
                symlink(there, crates.join(name))?;
            }
        }
        let cache = of_home("XDG_CACHE_HOME", ".cache");
        let variables = vec![
            ("HOME", empty_folder(&place.join("home"))?),
            ("CARGO_HOME", crates),
            // Everything was downloaded for the first build.
            ("CARGO_NET_OFFLINE", "true".into()),
            ("RUSTUP_HOME", of_home("RUSTUP_HOME", ".rustup")),
            ("GOCACHE", place.join("go")),
            ("ZIG_LOCAL_CACHE_DIR", place.join("zig")),
            // A local time in the output would differ, by hours and by minutes.
            ("TZ", "Asia/Kathmandu".into()),
            ("XDG_CACHE_HOME", cache.clone()),
        ];
        Ok(Self { place, cache, variables })
    }

    /// Returns the folder for projects.
    pub(super) fn above(&self) -> Result<PathBuf> {
        let above = self.place.join("another/place");
        fs::create_dir_all(&above)?;
        Ok(above)
    }

    /// Returns the folder for native code, which is not part of a plugin and takes long to make.
    pub(super) fn cache(&self) -> &Path {
        &self.cache
    }

    /// Sets a tool's environment to this folder and home.
    pub(super) fn apply_to(&self, process: Process) -> Process {
        self.variables.iter().fold(process, |process, (name, value)| process.quiet_env(name, value))
    }

    /// Removes the folder after success; after a failure it is kept for inspection.
    pub(super) fn remove(self) -> Result<()> {
        fs::remove_dir_all(&self.place).with_context(|| format!("cannot remove {}", self.place.display()))
    }
}

/// Fails if both files differ, unless the language is listed as varying; reports the result.
pub(super) fn compare_files(language: &str, first: &Path, second: &Path) -> Result<()> {
    let read = |file: &Path| fs::read(file).with_context(|| format!("cannot read {}", file.display()));
    let why = VARIES.iter().find(|(name, _)| *name == language).map(|(_, why)| why);
    match (read(first)? == read(second)?, why) {
        (true, _) => println!("{language}: the same bytes again"),
        (false, Some(why)) => println!("{language}: other bytes again: {why}"),
        (false, None) => bail!(
            "the same project was built to other bytes; compare {} with {}",
            first.display(),
            second.display()
        ),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_languages_that_may_differ_do() {
        let folder =
            empty_folder(&std::env::temp_dir().join(format!("xtask-again-{}", std::process::id()))).unwrap();
        let file = |name: &str, text: &str| {
            fs::write(folder.join(name), text).unwrap();
            folder.join(name)
        };
        let (one, same, other) = (file("one", "1"), file("same", "1"), file("other", "2"));
        let verdicts = [("c", &same), ("c", &other), ("python", &same), ("python", &other)]
            .map(|(language, second)| compare_files(language, &one, second).is_ok());
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(verdicts, [true, false, true, true]);
    }

    #[test]
    fn what_varies_is_in_the_documents() {
        let page = include_str!("../../../../docs/guide/authoring.md");
        let checks = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/check");
        let languages = super::super::list_languages(&checks).unwrap();
        for language in languages.iter().filter(|language| !super::super::programs::is_program(language)) {
            let varies = VARIES.iter().any(|(name, _)| name == language);
            let row = format!("| `{language}` | {} |", if varies { "no" } else { "yes" });
            assert!(page.lines().any(|line| line.starts_with(&row)), "{row}");
        }
    }
}
