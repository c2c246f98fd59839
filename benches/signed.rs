//! Signed plugins: cost of checking them, compared with common tools.
#![expect(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

#[path = "support/extent.rs"]
mod extent;
#[path = "support/pairs.rs"]
mod pairs;
#[path = "../host/registry/tests/stock/tools.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod tools;

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, SystemTime},
};

use extent::{Extent, built};
use pairs::{compare, each, heading, print};
use tools::{Registry, skopeo};

/// Signer, as named in `allowed_signers`.
const SIGNER: &str = "release@acme.example";
/// About this long is the component that is verified.
const COMPONENT_BYTES: usize = 1 << 20;

fn main() {
    let Some(extent) = Extent::of_this_run() else { return };
    heading();
    verifying(extent);
    cold(extent);
    adding(extent);
}

/// A home with a key, the plugin signed with it, and the list of trusted keys.
struct Bed {
    extent: Extent,
    folder: tempfile::TempDir,
}

impl Bed {
    fn new(extent: Extent, plugin: &[u8]) -> Self {
        let bed = Self { extent, folder: tempfile::tempdir().unwrap() };
        bed.good(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "key"]));
        let public = fs::read_to_string(bed.path("key.pub")).unwrap();
        bed.write("signers", format!("{SIGNER} namespaces=\"release@hookbox\" {public}").as_bytes());
        bed.write("guard.wasm", plugin);
        bed.write(
            "plugin.toml",
            b"name = \"acme/guard\"\nversion = \"1.0.0\"\nseq = 1\nevents = [\"tool.before\"]\n",
        );
        bed.hookbox(&["plugin", "manifest", "guard.wasm", "plugin.toml"]);
        bed.hookbox(&["plugin", "sign", "guard.wasm", "--key", "key"]);
        bed
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, content: &[u8]) {
        let file = self.path(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        age(&file);
    }

    /// Runs a command in this home and checks that it succeeds.
    fn good(&self, command: &mut Command) {
        let home = self.folder.path();
        let command = command.current_dir(home).env_clear().env("HOME", home);
        let output = command.env("PATH", "/usr/local/bin:/usr/bin:/bin").output().unwrap();
        assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    }

    fn hookbox(&self, words: &[&str]) {
        self.good(Command::new(self.extent.program("hookbox")).args(words));
    }

    /// Runs a whole process for one event.
    fn event(&self, event: &[u8]) {
        let home = self.folder.path();
        let mut command = Command::new(self.extent.program("hookbox"));
        command.args(["run", "--agent", "claude-code", "--home"]).arg(home).current_dir(home);
        command.env_clear().env("HOME", home).env("PATH", "/usr/bin:/bin");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(event).unwrap();
        assert!(child.wait_with_output().unwrap().status.success());
    }
}

/// Sets the time of change to an hour ago: a file that has just changed is read twice.
fn age(path: &Path) {
    let hour = Duration::from_hours(1);
    fs::File::open(path).unwrap().set_modified(SystemTime::now() - hour).unwrap();
}

fn find_text() -> Vec<u8> {
    fs::read(built("plugins/find-text.wasm")).unwrap()
}

/// Pads the plugin to the requested length with an ignored section.
fn long_plugin() -> Vec<u8> {
    let mut plugin = find_text();
    let rest = COMPONENT_BYTES.saturating_sub(plugin.len());
    let section = [b"\x07padding".as_slice(), &vec![0; rest]].concat();
    plugin.push(0);
    let mut length = section.len();
    while length > 0x7f {
        plugin.push(u8::try_from(length & 0x7f).unwrap_or_default() | 0x80);
        length >>= 7;
    }
    plugin.push(u8::try_from(length).unwrap_or_default());
    [plugin, section].concat()
}

/// Compares with five times `sha256sum` and one `ssh-keygen -Y verify`.
fn verifying(extent: Extent) {
    let bed = Bed::new(extent, &long_plugin());
    let ours = || bed.hookbox(&["plugin", "verify", "guard.wasm", "--allowed-signers", "signers"]);
    let theirs = || {
        for _ in 0..5 {
            bed.good(Command::new("sha256sum").arg("guard.wasm"));
        }
        let statement = fs::File::open(bed.path("guard.wasm.statement.json")).unwrap();
        let words = ["-Y", "verify", "-f", "signers", "-I", SIGNER, "-n", "release@hookbox", "-s"];
        let mut command = Command::new("ssh-keygen");
        bed.good(command.args(words).arg("guard.wasm.statement.json.sig").stdin(statement));
    };
    let pair = compare(extent.rounds(100), 1, each(ours), each(theirs));
    print("`plugin verify`, 1 MiB ÷ 5 `sha256sum` + `ssh-keygen -Y verify`", &pair, Some(0.0..=1.0));
}

/// Compares runs with and without a lock file, a policy and a revocation list.
fn cold(extent: Extent) {
    let [with, without] = [(); 2].map(|()| Bed::new(extent, &find_text()));
    for bed in [&with, &without] {
        bed.write(".config/hookbox/allowed_signers", &fs::read(bed.path("signers")).unwrap());
        bed.hookbox(&["plugin", "add", "guard.wasm", "--yes"]);
    }
    for file in ["allowed_signers", "hookbox.lock"] {
        let _ = fs::remove_file(without.path(".config/hookbox").join(file));
    }
    let policy = format!(
        "version = 1\ndefault = \"reject\"\n\n[[publisher]]\nnamespaces = [\"acme/*\"]\nprincipals = [\"{SIGNER}\"]\n\n\
         [[deny]]\ncomponent = \"sha256:{}\"\nreason = \"it lets rm pass\"\n",
        "0".repeat(64)
    );
    with.write(".config/hookbox/policy.toml", policy.as_bytes());
    with.good(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "other"]));
    with.good(Command::new("ssh-keygen").args([
        "-q",
        "-k",
        "-f",
        ".config/hookbox/revoked.krl",
        "other.pub",
    ]));
    for bed in [&with, &without] {
        bed.hookbox(&["check"]);
    }
    // A file younger than this is looked at again, whatever it is.
    thread::sleep(Duration::from_secs(4));
    let event = "tests/data/events/claude-code/14-PreToolUse-Bash-blocked.json";
    let event = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(event)).unwrap();
    let pair = compare(extent.rounds(600), 1, each(|| with.event(&event)), each(|| without.event(&event)));
    print("cold `hookbox run`, lock, policy and revocations ÷ none", &pair, Some(0.0..=1.02));
}

/// Compares an installation from a registry on this machine with `skopeo copy` and the compile.
fn adding(extent: Extent) {
    let (registry, bed) = (Registry::start(), Bed::new(extent, &find_text()));
    let (repository, compiler) = (registry.at("acme/guard:1.0.0"), extent.program("hookbox-compile"));
    bed.hookbox(&["plugin", "push", "guard.wasm", &format!("oci://{repository}")]);
    bed.write(".config/hookbox/allowed_signers", &fs::read(bed.path("signers")).unwrap());
    let clear = || {
        for folder in [".config/hookbox/hooks.toml", ".config/hookbox/hookbox.lock"] {
            let _ = fs::remove_file(bed.path(folder));
        }
        for folder in [".cache", ".local", "copy"] {
            let _ = fs::remove_dir_all(bed.path(folder));
        }
        age(&bed.path(".config/hookbox"));
    };
    let ours = || {
        clear();
        let source = format!("oci://{repository}");
        bed.hookbox(&["plugin", "add", &source, "--yes"]);
    };
    let theirs = || {
        clear();
        let copy = format!("oci:{}:guard", bed.path("copy").display());
        skopeo(&["copy", "--src-tls-verify=false", &format!("docker://{repository}"), &copy]);
        let component = fs::File::open(bed.path("guard.wasm")).unwrap();
        assert!(
            Command::new(&compiler)
                .env_clear()
                .stdin(component)
                .stdout(Stdio::null())
                .status()
                .unwrap()
                .success()
        );
    };
    let pair = compare(extent.rounds(30), 1, each(ours), each(theirs));
    print("`plugin add oci://…` ÷ `skopeo copy` + compile", &pair, Some(0.0..=1.5));
}
