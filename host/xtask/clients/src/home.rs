//! A fresh home folder: hookbox where its README puts it, a client's own settings, and a project with a letter in it.

use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

use super::client::Client;
use xtask::{process::Process, project::Project};

/// Home folder of a session.
pub(super) struct Home {
    pub(super) folder: PathBuf,
    path: OsString,
}

impl Home {
    /// Creates a new home, with the client's program on `PATH`.
    pub(super) fn create_for(
        project: &Project,
        client: &Client,
        folder: &Path,
        programs: Vec<PathBuf>,
        url: &str,
    ) -> Result<Self> {
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("cannot clear {}", folder.display()))?;
        }
        let own = folder.join(".local/bin");
        let above = env::var_os("PATH").unwrap_or_default();
        let path = programs.into_iter().chain([own.clone()]).chain(env::split_paths(&above));
        let home = Self { folder: folder.to_owned(), path: env::join_paths(path)? };
        for program in ["hookbox", "hookbox-compile"] {
            copy_file(&project.target.join("dist").join(program), &own.join(program))?;
        }
        copy_all(
            &project.target.join("share/hookbox/plugins"),
            &folder.join(".local/share/hookbox/plugins"),
        )?;
        for (file, text) in client.files {
            write_private_file(&folder.join(file), &home.fill_placeholders(text, url))?;
        }
        write_private_file(&home.letter(), "Dear reader,\n")?;
        // A repository of its own: some clients take the one around them for their project.
        Process::new("git").args(["init", "--quiet"]).directory(&home.project()).output()?;
        Ok(home)
    }

    /// Returns the project's folder, which the model tries to remove.
    pub(super) fn project(&self) -> PathBuf {
        self.folder.join("project")
    }

    /// Returns a file that is lost if the project is removed.
    pub(super) fn letter(&self) -> PathBuf {
        self.project().join("letter.txt")
    }

    /// Returns the file that the harmless command creates.
    pub(super) fn proof(&self) -> PathBuf {
        self.project().join("proof.txt")
    }

    /// Returns the program that the entries of agents name.
    pub(super) fn program(&self) -> PathBuf {
        self.folder.join(".local/bin/hookbox")
    }

    /// Records every event that hookbox receives from now on: a script in hookbox's place writes it down first.
    pub(super) fn record_events(&self, events: &Path) -> Result<()> {
        if events.exists() {
            fs::remove_dir_all(events).with_context(|| format!("cannot clear {}", events.display()))?;
        }
        fs::create_dir_all(events)?;
        let own = self.program();
        // Next to its compiler, and at the same distance from its plugins.
        let real = own.with_extension("real");
        fs::rename(&own, &real)?;
        let (events, real) = (events.display(), real.display());
        // The names of the files sort by the time of the event.
        // Without further processes, which the system may refuse.
        let script = format!(
            "#!/bin/bash\nIFS= read -r -d '' input\nprintf %s \"$input\" >'{events}/'$EPOCHREALTIME-$$\n\
             exec '{real}' \"$@\" <<<\"$input\"\n"
        );
        fs::write(&own, script)?;
        fs::set_permissions(&own, fs::Permissions::from_mode(0o755))?;
        Ok(())
    }

    /// Creates a process with this home, in the project, without the outside variables.
    pub(super) fn create_process(&self, program: &str) -> Process {
        Process::new(program)
            .without_environment()
            .quiet_env("HOME", &self.folder)
            .quiet_env("PATH", &self.path)
            .quiet_env("LANG", "C.UTF-8")
            // A client then writes no escape sequences into its log.
            .quiet_env("TERM", "dumb")
            .directory(&self.project())
    }

    /// Fills in the values that are only known now.
    pub(super) fn fill_placeholders(&self, text: &str, url: &str) -> String {
        text.replace("{url}", url).replace("{home}", &self.folder.to_string_lossy())
    }
}

fn copy_file(from: &Path, to: &Path) -> Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}

fn copy_all(from: &Path, to: &Path) -> Result<()> {
    for entry in fs::read_dir(from).with_context(|| format!("cannot read {}", from.display()))? {
        let entry = entry?;
        copy_file(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

/// Writes a file that only its owner can read, like the clients' own files.
fn write_private_file(file: &Path, text: &str) -> Result<()> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
    fs::set_permissions(file, fs::Permissions::from_mode(0o600))?;
    Ok(())
}
