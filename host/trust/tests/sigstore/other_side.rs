//! Sigstore's own packages, in a process that makes bundles and verifies them.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};

/// A bundle, and the key that it is signed with.
#[derive(Clone, Debug)]
pub(crate) struct Made {
    pub(crate) bundle: String,
    pub(crate) key: String,
}

/// The process.
pub(crate) struct OtherSide {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

fn find_project_folder() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().find(|folder| folder.join("docs/internals/architecture.md").exists()).unwrap().to_owned()
}

impl OtherSide {
    pub(crate) fn start() -> Self {
        let program = find_project_folder().join("target/tools/sigstore/bin/sigstore-node");
        assert!(program.exists(), "there is no sigstore; fetch it by: cargo xtask registries");
        let mut child = Command::new(program)
            .arg(find_project_folder().join("host/trust/tests/sigstore/bundles.cjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        Self { child, input, output: BufReader::new(output) }
    }

    fn ask_question(&mut self, question: &Value) -> Value {
        writeln!(self.input, "{question}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// A bundle of this kind, with a new key.
    pub(crate) fn make_bundle(&mut self, kind: &str, key: &str, statement: &str) -> Made {
        self.make_of_type(kind, key, statement, "application/vnd.in-toto+json")
    }

    pub(crate) fn make_of_type(&mut self, kind: &str, key: &str, statement: &str, of: &str) -> Made {
        let question = json!({ "make": true, "kind": kind, "key": key, "statement": statement, "type": of });
        let made = self.ask_question(&question);
        let text = |name: &str| made[name].as_str().unwrap().to_owned();
        Made { bundle: text("bundle"), key: text("key") }
    }

    /// Returns true if sigstore's verifier accepts the bundle.
    pub(crate) fn accepts_bundle(&mut self, made: &Made, statement: &str) -> bool {
        let answer =
            self.ask_question(&json!({ "bundle": made.bundle, "key": made.key, "statement": statement }));
        answer["good"].as_bool().unwrap()
    }
}

impl Drop for OtherSide {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
