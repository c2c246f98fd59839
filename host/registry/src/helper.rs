//! Docker's credential helpers: programs of the user, each for a keychain.

use std::{
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use hookbox_platform::{access, file};
use serde::Deserialize;

use crate::{
    docker::Credentials,
    error::{Error, ErrorKind},
    json,
};

/// Time limit of a helper: it may ask the user.
const MAX_WAIT: Duration = Duration::from_mins(1);
/// Pause between two looks at a helper that has closed its output.
const PAUSE: Duration = Duration::from_millis(2);
/// Longest answer, bytes.
const MAX_ANSWER: u64 = 64 << 10;
/// Text of helpers for an unknown host.
const UNKNOWN: &str = "credentials not found";

#[derive(Deserialize)]
struct Answer {
    #[serde(rename = "Username")]
    user: String,
    #[serde(rename = "Secret")]
    secret: String,
}

/// Returns the helper's credentials for `key`; `None` if it does not know the key.
pub(crate) fn ask_helper(name: &str, key: &str, path: &[PathBuf]) -> Result<Option<Credentials>, Error> {
    let program = find_program(name, path)?;
    let fails = |why: &str| Error::new(ErrorKind::Usage, format!("{} {why}", program.display()));
    let (output, good) = run(&program, key).map_err(|error| fails(&format!("cannot be run: {error}")))?;
    let output = output.ok_or_else(|| fails("does not answer, or answers too much"))?;
    if good {
        let answer: Answer = json::parse_document(&output, &format!("the answer of {}", program.display()))?;
        return Ok(Some(Credentials::new(&answer.user, &answer.secret)));
    }
    if String::from_utf8_lossy(&output).contains(UNKNOWN) {
        return Ok(None);
    }
    Err(fails(&format!("fails; to see why: echo {key} | {} get", program.display())))
}

/// Returns the program of that name in the first folder that has one. With a relative folder a project could choose the program, and with
/// a folder that others may write to, they could.
fn find_program(name: &str, path: &[PathBuf]) -> Result<PathBuf, Error> {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    let refused = |why: &str| Error::new(ErrorKind::Usage, why.to_owned());
    // A `/` in the name would start a program outside of the folders of `PATH`.
    if !name.bytes().all(is_plain) {
        return Err(refused("docker's configuration names a helper that is not a program name"));
    }
    let name = format!("docker-credential-{name}");
    let mut files = path.iter().filter(|folder| folder.is_absolute()).map(|folder| folder.join(&name));
    let program = files.find(|file| file.is_file() && file::check_runnable(file).is_ok());
    let program = program.ok_or_else(|| {
        refused(&format!("docker's configuration names the helper `{name}`, which is not on PATH"))
    })?;
    let other = access::other_writer(&program).or_else(|| access::other_writer(program.parent()?));
    other.map_or(Ok(()), |why| Err(refused(&format!("{} is not started: {why}", program.display()))))?;
    Ok(program)
}

/// Returns the helper's output, if it ends in time and within the limit; and whether it succeeded. It runs in the root folder with the
/// user's own environment, since keychains are found through the environment.
fn run(program: &Path, key: &str) -> std::io::Result<(Option<Vec<u8>>, bool)> {
    #[expect(clippy::disallowed_methods, reason = "credential helpers are programs, and start here")]
    let mut command = Command::new(program);
    // Not the project's folder, from which a helper could read a configuration.
    command.arg("get").current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
    let mut child = KilledOnDrop(command.spawn()?);
    // A helper that does not read its input may still know the answer.
    let _ = child.0.stdin.take().map(|mut stdin| stdin.write_all(key.as_bytes()));
    let Some(output) = child.0.stdout.take() else { return Ok((None, false)) };
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // One byte more than the limit, so that an answer that is too long is not taken for a whole one.
        let read = output.take(MAX_ANSWER + 1).read_to_end(&mut bytes);
        let whole = read.is_ok() && bytes.len() as u64 <= MAX_ANSWER;
        let _ = send.send(whole.then_some(bytes));
    });
    let deadline = Instant::now() + MAX_WAIT;
    // The reader has a thread of its own: a read of a pipe has no time limit, and a helper may never close
    // it.
    let Ok(Some(bytes)) = receive.recv_timeout(MAX_WAIT) else { return Ok((None, false)) };
    // The helper has closed its output, and need not have ended.
    while Instant::now() < deadline {
        if let Some(status) = child.0.try_wait()? {
            return Ok((Some(bytes), status.success()));
        }
        thread::sleep(PAUSE);
    }
    Ok((None, false))
}

struct KilledOnDrop(Child);

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        // Killing fails if it has ended already.
        let _ = self.0.kill();
        // Without this the dead process stays in the process table until hookbox ends.
        let _ = self.0.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    fn write_helper(script: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("docker-credential-test");
        fs::write(&file, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        folder
    }

    fn ask_script(script: &str) -> String {
        let folder = write_helper(script);
        describe_answer(ask_helper("test", "r.example", &[folder.path().to_owned()]))
            .replace(&folder.path().display().to_string(), "[PATH]")
    }

    fn describe_answer(asked: Result<Option<Credentials>, Error>) -> String {
        match asked {
            Ok(Some(Credentials::Password { user, password })) => format!("{user} {password}"),
            Ok(Some(Credentials::Identity(token))) => format!("token {token}"),
            Ok(None) => "none".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn a_credential_helper_receives_the_host_and_answers_with_name_and_password() {
        let script =
            r#"read host; echo "{\"ServerURL\":\"$host\",\"Username\":\"$1 $host\",\"Secret\":\"s\"}""#;
        assert_eq!(ask_script(script), "get r.example s");
        assert_eq!(ask_script(r#"echo '{"Username":"<token>","Secret":"s"}'"#), "token s");
        assert_eq!(ask_script("echo 'credentials not found in native keychain'; exit 1"), "none");
    }

    #[test]
    fn a_credential_helper_with_an_invalid_answer_is_reported_without_that_answer() {
        assert_eq!(
            ask_script("echo canary; exit 1"),
            "[PATH]/docker-credential-test fails; to see why: echo r.example | [PATH]/docker-credential-test get"
        );
        assert_eq!(
            ask_script("head -c 70000 /dev/zero"),
            "[PATH]/docker-credential-test does not answer, or answers too much"
        );
        assert_eq!(
            ask_script("echo canary"),
            "the answer of [PATH]/docker-credential-test is not JSON: expected value, at line 1 column 1"
        );
    }

    #[test]
    fn a_credential_helper_is_found_only_in_absolute_folders_that_no_other_user_can_write() {
        let folder = write_helper("echo '{\"Username\":\"u\",\"Secret\":\"s\"}'");
        let file = folder.path().join("docker-credential-test");
        let ask = |name: &str, path: &[PathBuf]| describe_answer(ask_helper(name, "r.example", path));
        let missing =
            "docker's configuration names the helper `docker-credential-test`, which is not on PATH";
        // A relative path to that folder.
        let up = "../".repeat(std::env::current_dir().unwrap().components().count());
        let relative = PathBuf::from(format!("{up}{}", folder.path().display()));
        assert!(relative.join("docker-credential-test").is_file());
        for relative in [relative, "".into(), ".".into()] {
            assert_eq!(ask("test", &[relative]), missing);
        }
        for odd in ["../test", "a/b", "test;x", "te st"] {
            assert_eq!(
                ask(odd, &[folder.path().to_owned()]),
                "docker's configuration names a helper that is not a program name"
            );
        }
        fs::set_permissions(&file, fs::Permissions::from_mode(0o777)).unwrap();
        let refused = ask("test", &[folder.path().to_owned()]);
        assert!(refused.contains("is not started: others may write to"), "{refused}");
    }
}
