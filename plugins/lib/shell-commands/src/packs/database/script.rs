//! Commands for the shells of `MongoDB` and Redis.

use super::Words;
use crate::{arg::Arg, call::Call};

/// Maximum size of a script that is read, in bytes.
const MAX_SCRIPT: usize = 256 * 1024;

const MONGO: &[&str] = &["mongo", "mongosh"];
/// Calls that throw data away, without blanks.
const DROPS: &[&str] = &[
    ".dropDatabase(",
    ".drop(",
    ".dropAllUsers(",
    ".dropAllRoles(",
    ".dropUser(",
    ".dropRole(",
    ".dropIndexes(",
    ".deleteMany({})",
    ".deleteMany()",
    ".deleteMany({},",
    ".remove({})",
    ".remove({},",
    ".remove()",
    ".shutdownServer(",
    "{dropDatabase:",
    "{drop:",
    "{\"drop\":",
    "{'drop':",
    "{shutdown:",
];

pub(super) const REDIS: &[&str] = &["redis-cli", "valkey-cli", "keydb-cli", "iredis"];
/// Commands that empty or stop a server.
const FLUSHES: &[&str] = &["flushall", "flushdb", "shutdown"];
/// Destructive commands of two words.
const FLUSHING_PAIRS: &[(&str, &str)] = &[
    ("acl", "deluser"),
    ("cluster", "reset"),
    ("debug", "segfault"),
    ("function", "flush"),
    ("xgroup", "destroy"),
];

/// Returns true if a command is one of the shells in this module.
pub(super) fn is_shell(name: &str) -> bool {
    MONGO.contains(&name) || REDIS.contains(&name)
}

pub(super) fn drops_collections(call: &Call) -> bool {
    call.is(MONGO) && {
        let stdin = call.stdin.text.as_deref().map(without_blanks);
        call.args()
            .iter()
            .map(|arg| without_blanks(&arg.plain()))
            .chain(stdin)
            .any(|text| DROPS.iter().any(|drop| text.contains(drop)))
    }
}

fn without_blanks(text: &str) -> String {
    text.chars().take(MAX_SCRIPT).filter(|c| !c.is_whitespace()).collect()
}

pub(super) fn flushes_keys(call: &Call) -> bool {
    if !call.is(REDIS) {
        return false;
    }
    let operands = Words::of(call).operands;
    let words: Vec<String> = operands.iter().map(Arg::plain).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let lines = call.stdin.text.as_deref().unwrap_or_default().lines().take(10_000);
    let is_flushing = |line: &str| flushes(&line.split_whitespace().take(4).collect::<Vec<_>>());
    flushes(&words) || lines.into_iter().any(is_flushing)
}

/// Returns true if the words are such a command, or a script that calls one.
fn flushes(words: &[&str]) -> bool {
    let is = |word: &str, known: &str| word.trim_matches(['"', '\'']).eq_ignore_ascii_case(known);
    match words {
        [command, ..] if FLUSHES.iter().any(|known| is(command, known)) => true,
        [eval, script, ..] if is(eval, "eval") => {
            let script = script.to_lowercase();
            FLUSHES.iter().any(|known| script.contains(known))
        }
        [first, second, ..] => FLUSHING_PAIRS.iter().any(|(one, two)| is(first, one) && is(second, two)),
        _ => false,
    }
}
