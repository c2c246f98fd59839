//! `plugin sign` with a key that an ssh-agent has.

use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::net::UnixListener,
    process::{Child, Stdio},
    thread,
};

use crate::{create_bed, sign_plugin, testbed::TestBed, verify_plugin};

/// OpenSSH's agent. It ends with the test.
pub(crate) struct Agent {
    process: Child,
    pub(crate) socket: String,
}

impl Agent {
    /// One that is started with these words, and has this key.
    pub(crate) fn start_with_key(bed: &TestBed, words: &[&str], key: &str) -> Self {
        let socket = bed.resolve_path("[HOME]/agent").display().to_string();
        let words = [&["-D", "-a", &socket], words].concat();
        let mut process = bed.command_of("ssh-agent".as_ref(), &words).stdin(Stdio::null()).spawn().unwrap();
        // It tells where it listens once it does.
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains(&socket), "{line}");
        let agent = Self { process, socket };
        let mut add = bed.command_of("ssh-add".as_ref(), &["-q", key]);
        let added = bed.run_with_input(add.env("SSH_AUTH_SOCK", &agent.socket), b"");
        assert_eq!(added.code, 0, "{added}");
        agent
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[test]
fn an_agent_signs_with_the_key_that_is_named_and_with_no_other() {
    let bed = create_bed();
    let agent = Agent::start_with_key(&bed, &[], "a");
    let with = |key: &str| {
        bed.run_hookbox(&["plugin", "sign", "guard.wasm", "--key", key, "--agent", &agent.socket])
    };
    let ran = with("a.pub");
    assert_eq!(ran.code, 0, "{ran}");
    assert_eq!(verify_plugin(&bed, "guard.wasm").code, 0);
    let other = with("b.pub");
    assert_eq!(other.code, 1, "{other}");
    assert!(
        other.stderr.contains("it has no such key, or refuses to use it. `ssh-add -L` lists its keys"),
        "{other}"
    );
    assert!(!bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig.1").exists());
}

#[test]
fn the_agent_is_found_where_the_environment_says() {
    let bed = create_bed();
    let agent = Agent::start_with_key(&bed, &[], "a");
    let bed = bed.with_variable("SSH_AUTH_SOCK", &agent.socket);
    assert_eq!(sign_plugin(&bed, "guard.wasm", "a.pub").code, 0);
}

/// Whatever it answers, nothing is written that does not verify.
#[test]
fn an_invalid_answer_of_the_ssh_agent_is_reported() {
    let long = [&1_000_000_u32.to_be_bytes()[..], &[14]].concat();
    for (number, answer, why) in [
        (0, vec![], "does not answer"),
        (1, vec![0, 0, 0, 0], "the length of its answer, 0 bytes, is invalid"),
        (2, long, "the length of its answer, 1000000 bytes, is invalid"),
        (3, vec![0, 0, 0, 1, 99], "sent an answer of the unknown type 99"),
        (4, vec![0, 0, 0, 5, 14, 0, 0, 0, 9], "sent an invalid answer"),
        (5, vec![0, 0, 0, 5, 14, 0, 0, 0, 0], "does not have the form for a key of the kind ssh-ed25519"),
    ] {
        let bed = create_bed();
        let socket = bed.resolve_path(&format!("[HOME]/liar-{number}"));
        let listener = UnixListener::bind(&socket).unwrap();
        let liar = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut length = [0; 4];
            stream.read_exact(&mut length).unwrap();
            let mut question = vec![0; u32::from_be_bytes(length) as usize];
            stream.read_exact(&mut question).unwrap();
            drop(stream.write_all(&answer));
        });
        let socket = socket.display().to_string();
        let ran = bed.run_hookbox(&["plugin", "sign", "guard.wasm", "--key", "a.pub", "--agent", &socket]);
        liar.join().unwrap();
        assert!(ran.code == 1 && ran.stderr.contains(why), "{ran}");
        assert!(!bed.resolve_path("[PROJECT]/guard.wasm.statement.json.sig").exists());
    }
}
