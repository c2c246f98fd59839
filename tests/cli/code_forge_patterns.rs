//! Code-Forge's patterns against Python's own `fnmatch`.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use hookbox::agents::code_forge::pattern::Pattern;
use serde_json::{Value, json};

/// What these characters make are the oddities of a sequence; none of them ends an item of a pattern.
const CHARACTERS: [char; 14] = ['a', 'b', 'c', 'B', '!', '-', ']', '[', '^', '*', '?', '\\', '&', 'ä'];
const ASKED: usize = 20_000;

/// Asks Python whether each text matches each pattern.
const ASK: &str =
    "import fnmatch,json,sys\nprint(json.dumps([fnmatch.fnmatch(t, p) for p, t in json.load(sys.stdin)]))";

/// Numbers that look like none; the same at every run.
struct Numbers(u64);

impl Numbers {
    fn generate_below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % most
    }

    fn generate_text(&mut self, most: usize) -> String {
        let length = self.generate_below(most);
        (0..length).map(|_| CHARACTERS[self.generate_below(CHARACTERS.len())]).collect()
    }
}

/// `None` if there is no Python.
fn match_in_python(asked: &Value) -> Option<Vec<bool>> {
    let mut python = Command::new("python3")
        .args(["-c", ASK])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    python.stdin.take().unwrap().write_all(asked.to_string().as_bytes()).unwrap();
    Some(serde_json::from_slice(&python.wait_with_output().unwrap().stdout).unwrap())
}

#[test]
fn a_pattern_matches_what_pythons_fnmatch_matches() {
    let mut numbers = Numbers(4);
    let pairs: Vec<_> = (0..ASKED).map(|_| (numbers.generate_text(9), numbers.generate_text(5))).collect();
    let full = |text: &str| format!("tool:pre_execute:{text}");
    let asked = pairs.iter().map(|(pattern, text)| json!([full(pattern), full(text)]));
    let Some(expected) = match_in_python(&asked.collect()) else { return };
    let mut matched = 0;
    for ((pattern, text), expected) in pairs.iter().zip(expected) {
        // Code-Forge compares the names before it looks for a pattern in them.
        let expected = expected || pattern == text;
        let is = Pattern::parse(&full(pattern)).unwrap().matches("tool:pre_execute", Some(text));
        assert_eq!(is, expected, "{pattern:?} {text:?}");
        matched += usize::from(is);
    }
    assert!(matched > ASKED / 50, "only {matched} match");
}
