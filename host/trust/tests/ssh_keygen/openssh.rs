//! OpenSSH's own `ssh-keygen`, in a folder of its own.

use std::{
    fs::{self, File},
    path::PathBuf,
    process::{Command, Stdio},
    time::SystemTime,
};

use hookbox_trust::{
    allowed_signers::AllowedSigners,
    key::PublicKey,
    revocation_list::Krl,
    signing::SigningKey,
    verify::{Seal, VerificationData},
};
use tempfile::TempDir;

pub(crate) struct OpenSsh(TempDir);

/// A question: did this signer make this signature?
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub(crate) statement: Vec<u8>,
    pub(crate) signature: Vec<u8>,
    pub(crate) signers: String,
    pub(crate) krl: Option<Vec<u8>>,
    pub(crate) principal: String,
    /// Time in the format of `ssh-keygen`.
    pub(crate) time: String,
    /// The time zone of lines without `Z`, as the C library reads it.
    pub(crate) place: &'static str,
}

impl OpenSsh {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn get_path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write_file(&self, name: &str, content: &[u8]) {
        fs::write(self.get_path(name), content).unwrap();
    }

    pub(crate) fn read_file(&self, name: &str) -> String {
        fs::read_to_string(self.get_path(name)).unwrap()
    }

    /// Runs `ssh-keygen` with these arguments; returns its output, or its error output.
    pub(crate) fn run_keygen(
        &self,
        words: &[&str],
        input: Option<&str>,
        place: &str,
    ) -> Result<String, String> {
        let mut command = Command::new("ssh-keygen");
        command
            .args(words)
            .current_dir(self.0.path())
            .env_clear()
            .env("TZ", place)
            .env("PATH", "/usr/bin:/bin");
        match input {
            Some(name) => command.stdin(File::open(self.get_path(name)).unwrap()),
            None => command.stdin(Stdio::null()),
        };
        let ran = command
            .output()
            .unwrap_or_else(|error| panic!("ssh-keygen is needed here (Debian: openssh-client): {error}"));
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        if ran.status.success() { Ok(text(&ran.stdout)) } else { Err(text(&ran.stderr)) }
    }

    /// Makes a new key of this kind without a passphrase; returns the line of its public key.
    pub(crate) fn make_key(&self, name: &str, kind: &[&str]) -> String {
        let words = ["-q", "-N", "", "-C", "", "-f", name, "-t"];
        self.run_keygen(&[&words[..], kind].concat(), None, "UTC").unwrap();
        self.read_file(&format!("{name}.pub")).trim().to_owned()
    }

    /// Signs the statement with OpenSSH.
    pub(crate) fn sign_statement(&self, key: &str, statement: &[u8], options: &[&str]) -> String {
        self.write_file("to-sign", statement);
        drop(fs::remove_file(self.get_path("to-sign.sig")));
        let words = [&["-Y", "sign", "-f", key][..], options, &["to-sign"]].concat();
        self.run_keygen(&words, None, "UTC").unwrap();
        self.read_file("to-sign.sig")
    }

    /// Makes a revocation list of these lines (`ssh-keygen -k`).
    pub(crate) fn make_krl(&self, lines: &str) -> Vec<u8> {
        self.write_file("revoked.txt", lines.as_bytes());
        self.run_keygen(&["-k", "-f", "revoked.krl", "revoked.txt"], None, "UTC").unwrap();
        fs::read(self.get_path("revoked.krl")).unwrap()
    }

    /// Returns OpenSSH's verdict.
    pub(crate) fn verify_question(&self, question: &Question) -> bool {
        self.write_file("statement", &question.statement);
        self.write_file("signature", &question.signature);
        self.write_file("signers", question.signers.as_bytes());
        let time = format!("-Overify-time={}", question.time);
        let mut words =
            vec!["-Y", "verify", "-n", "release@hookbox", "-f", "signers", "-s", "signature", &time];
        words.extend(["-I", &question.principal]);
        if let Some(krl) = &question.krl {
            self.write_file("krl", krl);
            words.extend(["-r", "krl"]);
        }
        self.run_keygen(&words, Some("statement"), question.place).is_ok()
    }
}

/// Reads a private key's file made by OpenSSH.
pub(crate) fn signing_key(openssh: &OpenSsh, name: &str) -> SigningKey {
    SigningKey::parse(&openssh.read_file(name)).unwrap()
}

pub(crate) fn parse_public_key(line: &str) -> PublicKey {
    PublicKey::parse_line(line).unwrap()
}

impl Question {
    /// Returns hookbox's verdict.
    pub(crate) fn is_taken(&self) -> bool {
        self.asked().is_some()
    }

    fn asked(&self) -> Option<()> {
        let signers = AllowedSigners::parse(&self.signers).ok()?;
        let revoked = self.krl.iter().map(|krl| Krl::parse(krl).ok()).collect::<Option<Vec<_>>>()?;
        let known = VerificationData { signers: &signers, revoked: &revoked, now: self.now() };
        let seal = Seal::from_armored(str::from_utf8(&self.signature).ok()?, &self.statement, known);
        seal.find_signer(std::slice::from_ref(&self.principal)).map(drop)
    }

    fn now(&self) -> SystemTime {
        let part = |from: usize, to: usize| &self.time[from..to];
        let [date, time] = [[(0, 4), (4, 6), (6, 8)], [(8, 10), (10, 12), (12, 14)]];
        let [date, time] = [date, time].map(|parts| parts.map(|(from, to)| part(from, to)));
        humantime::parse_rfc3339(&format!("{}T{}Z", date.join("-"), time.join(":"))).unwrap()
    }
}
