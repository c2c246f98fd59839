//! Third-party tools: a registry, and programs that copy and pull.

use std::{
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
};

/// `ann`, with the password `word`.
const ANN: &str = "ann:$2b$04$d2AGyxWkcWqfAHsx1PMhcODy79F2MvqbGBjt20SGB5Rzn4YLZpcyS\n";

/// Returns the path of a tool that xtask has fetched into the target folder.
fn find_tool(path: &str) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap();
    let tool = target.join("tools").join(path);
    assert!(tool.exists(), "{} is not there; run: cargo xtask registries", tool.display());
    tool
}

#[expect(clippy::disallowed_methods, reason = "tests start the tools that users have")]
fn make_tool_command(program: &Path) -> Command {
    Command::new(program)
}

/// Debian's registry, with a folder of its own. It ends with the test.
pub(crate) struct Registry {
    process: Child,
    pub(crate) address: String,
    _folder: tempfile::TempDir,
}

impl Registry {
    pub(crate) fn start() -> Self {
        Self::start_with("", "")
    }

    /// Starts a registry that accepts `ann`.
    pub(crate) fn with_password() -> Self {
        Self::start_with("", "auth: {htpasswd: {realm: test, path: FOLDER/users}}\n")
    }

    /// Starts a registry with more of `http` in its configuration, and further settings.
    pub(crate) fn start_with(http: &str, more: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "version: 0.1\nlog: {{level: info}}\nstorage: {{filesystem: {{rootdirectory: FOLDER/content}}}}\n\
             http: {{addr: '127.0.0.1:0'{http}}}\n{more}"
        );
        let file = folder.path().join("config.yml");
        std::fs::write(&file, text.replace("FOLDER", folder.path().to_str().unwrap())).unwrap();
        std::fs::write(folder.path().join("users"), ANN).unwrap();
        let mut command = make_tool_command(&find_tool("registry/bin/docker-registry"));
        let command = command.arg("serve").arg(&file).env("OTEL_TRACES_EXPORTER", "none");
        let mut process = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines().map_while(Result::ok);
        let line = lines.by_ref().find(|line| line.contains("listening on ")).unwrap();
        let address = line.split("listening on ").nth(1).unwrap().split(['"', ',', ' ']).next().unwrap();
        let address = address.to_owned();
        // Its further output is read, so that it never blocks on a full pipe.
        thread::spawn(move || lines.for_each(drop));
        Self { process, address, _folder: folder }
    }

    /// Returns a repository of the registry.
    pub(crate) fn name_repository(&self, rest: &str) -> String {
        format!("{}/{rest}", self.address)
    }
}

impl Drop for Registry {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// Runs `skopeo`, which must succeed; returns its output.
pub(crate) fn run_skopeo(words: &[&str]) -> String {
    run(make_tool_command(&find_tool("registry/bin/skopeo")).arg("--insecure-policy").args(words))
}

/// Pulls with `oras` for Python.
pub(crate) fn oras_pull(target: &str, folder: &Path) {
    let script = "import sys, oras.client\n\
                  oras.client.OrasClient(insecure=True).pull(target=sys.argv[1], outdir=sys.argv[2])";
    run(make_tool_command(&find_tool("oras/bin/python")).args(["-c", script, target]).arg(folder));
}

fn run(command: &mut Command) -> String {
    let output = command.env("HOME", env!("CARGO_TARGET_TMPDIR")).output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}
