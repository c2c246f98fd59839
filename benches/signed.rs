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

use extent::{Extent, built_path};
use pairs::{compare_sides, print_heading, print_row, time_each};
use tools::{Registry, run_skopeo};

/// Signer, as named in `allowed_signers`.
const SIGNER: &str = "release@acme.example";
/// About this long is the component that is verified.
const COMPONENT_BYTES: usize = 1 << 20;

fn main() {
    let Some(extent) = Extent::of_this_run() else { return };
    print_heading();
    measure_verification(extent);
    measure_cold_runs(extent);
    measure_installation(extent);
}

/// A home with a key, the plugin signed with it, and the list of trusted keys.
struct Bed {
    extent: Extent,
    folder: tempfile::TempDir,
}

impl Bed {
    fn new(extent: Extent, plugin: &[u8]) -> Self {
        let bed = Self { extent, folder: tempfile::tempdir().unwrap() };
        bed.run_successfully(
            Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "key"]),
        );
        let public = fs::read_to_string(bed.join_path("key.pub")).unwrap();
        bed.write_file("signers", format!("{SIGNER} namespaces=\"release@hookbox\" {public}").as_bytes());
        bed.write_file("guard.wasm", plugin);
        bed.write_file(
            "plugin.toml",
            b"name = \"acme/guard\"\nversion = \"1.0.0\"\nseq = 1\nevents = [\"tool.before\"]\n",
        );
        bed.run_hookbox(&["plugin", "manifest", "guard.wasm", "plugin.toml"]);
        bed.run_hookbox(&["plugin", "sign", "guard.wasm", "--key", "key"]);
        bed
    }

    fn join_path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write_file(&self, name: &str, content: &[u8]) {
        let file = self.join_path(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, content).unwrap();
        backdate_file(&file);
    }

    /// Runs a command in this home and checks that it succeeds.
    fn run_successfully(&self, command: &mut Command) {
        let home = self.folder.path();
        let command = command.current_dir(home).env_clear().env("HOME", home);
        let output = command.env("PATH", "/usr/local/bin:/usr/bin:/bin").output().unwrap();
        assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    }

    fn run_hookbox(&self, words: &[&str]) {
        self.run_successfully(Command::new(self.extent.program_path("hookbox")).args(words));
    }

    /// Runs a whole process for one event.
    fn run_event(&self, event: &[u8]) {
        let home = self.folder.path();
        let mut command = Command::new(self.extent.program_path("hookbox"));
        command.args(["run", "--agent", "claude-code", "--home"]).arg(home).current_dir(home);
        command.env_clear().env("HOME", home).env("PATH", "/usr/bin:/bin");
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(event).unwrap();
        assert!(child.wait_with_output().unwrap().status.success());
    }
}

/// Sets the time of change to an hour ago: a file that has just changed is read twice.
fn backdate_file(path: &Path) {
    let hour = Duration::from_hours(1);
    fs::File::open(path).unwrap().set_modified(SystemTime::now() - hour).unwrap();
}

fn find_text() -> Vec<u8> {
    fs::read(built_path("plugins/find-text.wasm")).unwrap()
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
fn measure_verification(extent: Extent) {
    let bed = Bed::new(extent, &long_plugin());
    let ours = || bed.run_hookbox(&["plugin", "verify", "guard.wasm", "--allowed-signers", "signers"]);
    let theirs = || {
        for _ in 0..5 {
            bed.run_successfully(Command::new("sha256sum").arg("guard.wasm"));
        }
        let statement = fs::File::open(bed.join_path("guard.wasm.statement.json")).unwrap();
        let words = ["-Y", "verify", "-f", "signers", "-I", SIGNER, "-n", "release@hookbox", "-s"];
        let mut command = Command::new("ssh-keygen");
        bed.run_successfully(command.args(words).arg("guard.wasm.statement.json.sig").stdin(statement));
    };
    let pair = compare_sides(extent.limit_rounds(100), 1, time_each(ours), time_each(theirs));
    print_row("`plugin verify`, 1 MiB ÷ 5 `sha256sum` + `ssh-keygen -Y verify`", &pair, Some(0.0..=1.0));
}

/// Compares runs with and without a lock file, a policy and a revocation list.
fn measure_cold_runs(extent: Extent) {
    let [with, without] = [(); 2].map(|()| Bed::new(extent, &find_text()));
    for bed in [&with, &without] {
        bed.write_file(".config/hookbox/allowed_signers", &fs::read(bed.join_path("signers")).unwrap());
        bed.run_hookbox(&["plugin", "add", "guard.wasm", "--yes"]);
    }
    for file in ["allowed_signers", "hookbox.lock"] {
        let _ = fs::remove_file(without.join_path(".config/hookbox").join(file));
    }
    let policy = format!(
        "version = 1\ndefault = \"reject\"\n\n[[publisher]]\nnamespaces = [\"acme/*\"]\nprincipals = [\"{SIGNER}\"]\n\n\
         [[deny]]\ncomponent = \"sha256:{}\"\nreason = \"it lets rm pass\"\n",
        "0".repeat(64)
    );
    with.write_file(".config/hookbox/policy.toml", policy.as_bytes());
    with.run_successfully(
        Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", "other"]),
    );
    with.run_successfully(Command::new("ssh-keygen").args([
        "-q",
        "-k",
        "-f",
        ".config/hookbox/revoked.krl",
        "other.pub",
    ]));
    for bed in [&with, &without] {
        bed.run_hookbox(&["check"]);
    }
    // A file younger than this is looked at again, whatever it is.
    thread::sleep(Duration::from_secs(4));
    let event = "tests/data/events/claude-code/14-PreToolUse-Bash-blocked.json";
    let event = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(event)).unwrap();
    let pair = compare_sides(
        extent.limit_rounds(600),
        1,
        time_each(|| with.run_event(&event)),
        time_each(|| without.run_event(&event)),
    );
    print_row("cold `hookbox run`, lock, policy and revocations ÷ none", &pair, Some(0.0..=1.02));
}

/// Compares an installation from a registry on this machine with `skopeo copy` and the compile.
fn measure_installation(extent: Extent) {
    let (registry, bed) = (Registry::start(), Bed::new(extent, &find_text()));
    let (repository, compiler) =
        (registry.name_repository("acme/guard:1.0.0"), extent.program_path("hookbox-compile"));
    bed.run_hookbox(&["plugin", "push", "guard.wasm", &format!("oci://{repository}")]);
    bed.write_file(".config/hookbox/allowed_signers", &fs::read(bed.join_path("signers")).unwrap());
    let clear = || {
        for folder in [".config/hookbox/hooks.toml", ".config/hookbox/hookbox.lock"] {
            let _ = fs::remove_file(bed.join_path(folder));
        }
        for folder in [".cache", ".local", "copy"] {
            let _ = fs::remove_dir_all(bed.join_path(folder));
        }
        backdate_file(&bed.join_path(".config/hookbox"));
    };
    let ours = || {
        clear();
        let source = format!("oci://{repository}");
        bed.run_hookbox(&["plugin", "add", &source, "--yes"]);
    };
    let theirs = || {
        clear();
        let copy = format!("oci:{}:guard", bed.join_path("copy").display());
        run_skopeo(&["copy", "--src-tls-verify=false", &format!("docker://{repository}"), &copy]);
        let component = fs::File::open(bed.join_path("guard.wasm")).unwrap();
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
    let pair = compare_sides(extent.limit_rounds(30), 1, time_each(ours), time_each(theirs));
    print_row("`plugin add oci://…` ÷ `skopeo copy` + compile", &pair, Some(0.0..=1.5));
}
