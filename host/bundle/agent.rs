//! Client of an ssh agent, which has keys that never leave it, and asks for passphrases and touches.
//!
//! Of its protocol hookbox needs one request. The crates with all of it depend on RSA, whose signatures hookbox does not
//! accept.

use std::{
    io::{self, Read, Write},
    path::Path,
};

use hookbox_platform::socket::Local;
use hookbox_trust::key::PublicKey;

// SSH2_AGENTC_SIGN_REQUEST, SSH2_AGENT_SIGN_RESPONSE and SSH_AGENT_FAILURE of the agent protocol.
const SIGN: u8 = 13;
const SIGNED: u8 = 14;
const REFUSED: u8 = 5;
/// Maximum length of an answer; a signature is shorter by far.
const MAX_ANSWER: u32 = 16 << 10;

pub(crate) fn request_signature(socket: &Path, key: &PublicKey, data: &[u8]) -> Result<Vec<u8>, String> {
    let agent = socket.display();
    let (kind, answer) = send_request(socket, &encode_request(key, data))
        .map_err(|error| format!("the ssh-agent at {agent} does not answer: {error}"))?;
    match kind {
        SIGNED => {
            parse_signature(&answer).ok_or_else(|| format!("the ssh-agent at {agent} sent an invalid answer"))
        }
        REFUSED => Err(format!(
            "the ssh-agent at {agent} does not sign with {} ({}): it has no such key, or refuses to use it. \
             `ssh-add -L` lists its keys, and `ssh-add KEY` adds one",
            key.fingerprint(),
            key.kind()
        )),
        other => Err(format!("the ssh-agent at {agent} sent an answer of the unknown type {other}")),
    }
}

fn encode_request(key: &PublicKey, data: &[u8]) -> Vec<u8> {
    let mut question = vec![SIGN];
    for part in [key.as_bytes(), data] {
        put_string(&mut question, part);
    }
    // Without flags: they choose among digests of RSA.
    question.extend([0; 4]);
    let mut message = Vec::new();
    put_string(&mut message, &question);
    message
}

fn put_string(to: &mut Vec<u8>, bytes: &[u8]) {
    // Keys and statements have maximum lengths, so the number always fits.
    to.extend(u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_be_bytes());
    to.extend(bytes);
}

/// Sends a request and returns the type and the content of the answer.
fn send_request(socket: &Path, question: &[u8]) -> io::Result<(u8, Vec<u8>)> {
    let mut agent = Local::connect(socket)?;
    agent.write_all(question)?;
    let length = read_number(&mut agent)?;
    if length == 0 || length > MAX_ANSWER {
        return Err(io::Error::other(format!("the length of its answer, {length} bytes, is invalid")));
    }
    let mut kind = [0];
    agent.read_exact(&mut kind)?;
    // The length includes the type, and was checked to be at least 1.
    let mut answer = vec![0; length as usize - 1];
    agent.read_exact(&mut answer)?;
    Ok((kind[0], answer))
}

fn read_number(agent: &mut Local) -> io::Result<u32> {
    let mut bytes = [0; 4];
    agent.read_exact(&mut bytes)?;
    Ok(u32::from_be_bytes(bytes))
}

/// Returns the single string of the answer.
fn parse_signature(answer: &[u8]) -> Option<Vec<u8>> {
    let (length, rest) = answer.split_first_chunk()?;
    (u32::from_be_bytes(*length) as usize == rest.len()).then(|| rest.to_vec())
}
