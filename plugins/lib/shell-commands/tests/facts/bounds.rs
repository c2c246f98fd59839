//! Bounds of facts, and text that is cut anywhere.

use std::fmt::Write;

use shell_commands::facts::{
    Facts, MAX_BYTES, MAX_COMMANDS, MAX_HOSTS, MAX_TEXT, MAX_UNDETERMINED, MAX_WORDS, UnknownReason,
    read_facts,
};

use crate::{FOLDER, read_here};

/// Lines with most of what a shell has, each cut at every place.
const LONG: &[&str] = &[
    "for f in $(find . -name '*.log' -mtime +7 | sort -u); do gzip -9 \"$f\" && mv \"$f.gz\" /backup/ || echo \"no $f\" >&2; done",
    "if [[ -f .env && ! -d build ]]; then source .env; mkdir -p build/{bin,lib,share}; else rm -rf build/* \"${OUT:-dist}\"; fi",
    "sudo -u deploy sh -c 'cd /srv/app && git pull --rebase origin main && docker compose -f prod.yml up -d --build' > log 2>&1 &",
    "curl -fsSL \"https://user:pw@example.com:8443/a/b?c=$D#e\" -H 'A: b' -o >(tee f | sha256sum) | tar -xz -C \"$(mktemp -d)\" --strip 1",
    "cat <<EOF | ssh -J jump.example deploy@prod.example \"bash -s -- $1\"\nset -euo pipefail\nrm -rf /srv/$NAME\nEOF\necho done",
    "f() { local a=\"${1##*/}\"; case $a in *.rs|*.toml) rustfmt \"$a\";; (*) return 1;; esac; }; f src/main.rs && trap 'rm -f lock' EXIT",
    "A=1 B='x y' env -i C=$((1 + ${#D})) bash -c 'echo \"$0\" \"$@\"; exec 3<>/dev/tcp/h.example/80; cat <&3' _ \"${E[@]}\" <<< \"in $F\"",
    "find . -type f \\( -name '*.c' -o -name '*.h' \\) -print0 | xargs -0 -I{} -P 4 sh -c 'clang-format -i \"{}\"; git add \"{}\"' ;",
    "python3 - \"$x\" <<'PY'\nimport os, subprocess\nsubprocess.run([\"rm\", \"-rf\", os.environ[\"T\"]])\nPY\nnode -e \"require('fs').rmSync('x')\"",
    "while IFS=, read -r a b; do kubectl -n \"$a\" exec pod-$b -- sh -c \"rm -rf /data/$b\" < /dev/null; done < <(tail -n +2 list.csv) | tee -a out",
];

fn is_too_large(facts: &Facts) -> bool {
    facts.undetermined.iter().any(|part| part.reason == UnknownReason::TooLarge)
}

#[test]
fn a_million_commands_are_too_large() {
    assert!(is_too_large(&read_here(&"true; ".repeat(1_000_000))));
    let nested =
        "for a in {1..100}; do for b in {1..100}; do for c in {1..100}; do rm $a$b$c; done; done; done";
    let facts = read_here(nested);
    assert!(is_too_large(&facts) && facts.commands.len() <= MAX_COMMANDS);
}

#[test]
fn each_list_ends_at_its_bound() {
    let lines = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    let facts = read_here(&lines(MAX_COMMANDS, |at| format!("e {at};")));
    assert!(facts.commands.len() == MAX_COMMANDS && !is_too_large(&facts));
    let facts = read_here(&lines(MAX_COMMANDS + 1, |at| format!("e {at};")));
    assert!(facts.commands.len() == MAX_COMMANDS && is_too_large(&facts));
    let facts = read_here(&format!("e{}", " x".repeat(MAX_WORDS)));
    assert!(facts.commands[0].words.len() == MAX_WORDS && is_too_large(&facts));
    let facts = read_here(&format!("curl{}", lines(MAX_HOSTS + 1, |at| format!(" h{at}.example"))));
    assert!(facts.hosts.len() == MAX_HOSTS && is_too_large(&facts));
    let facts = read_here(&lines(MAX_UNDETERMINED + 1, |at| format!("$x{at} {at};")));
    assert!(facts.undetermined.len() == MAX_UNDETERMINED && is_too_large(&facts));
}

#[test]
fn the_text_of_all_facts_ends_at_its_bound() {
    let mut line = format!("x={}; ", "y".repeat(30_000));
    for at in 0..1000 {
        let _ = write!(line, "e $x {at};");
    }
    let facts = read_here(&line);
    let size: usize =
        facts.commands.iter().flat_map(|command| &command.words).map(|word| word.text.len()).sum();
    assert!(is_too_large(&facts) && size <= MAX_BYTES, "{size}");
}

#[test]
fn a_long_part_is_shortened() {
    let facts = read_here(&format!("$x {}", "ä".repeat(1000)));
    assert_eq!(facts.undetermined[0].text.chars().count(), MAX_TEXT);
}

#[test]
fn a_text_that_is_cut_anywhere_has_facts_or_an_error() {
    for line in LONG {
        for (at, _) in line.char_indices().skip(1) {
            let facts = read_facts(&line[..at], FOLDER, FOLDER);
            let is_empty =
                facts.commands.is_empty() && facts.paths.is_empty() && facts.undetermined.is_empty();
            // An assignment and a function have none.
            let may_be_empty = line.starts_with("f()") || line.starts_with("A=");
            assert!(!is_empty || may_be_empty, "{:?}", &line[..at]);
        }
    }
}
