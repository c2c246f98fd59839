//! Spellings of one command that a shell reads alike: quoting, escapes, variables, substitutions, carriers, continued
//! lines. Random, but the same for the same seed.

/// A pseudo-random sequence (splitmix64): the same for the same seed everywhere.
pub(crate) struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below a limit.
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let limit = u64::try_from(limit.max(1)).unwrap_or(1);
        usize::try_from((mixed ^ (mixed >> 31)) % limit).unwrap_or(0)
    }

    /// One of several.
    pub(crate) fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let at = self.below(from.len());
        match from.get(at) {
            Some(one) => one.clone(),
            None => unreachable!("a choice among nothing"),
        }
    }
}

/// `NAME -rf TARGET`, disguised. The name and the target are words without a special character.
pub(crate) fn removal(seed: u64, name: &str, target: &str) -> String {
    let random = &mut Random::new(seed);
    let mut before = String::new();
    let words = [name, "-rf", target].map(|word| disguised_word(word, random, &mut before));
    let gap = |random: &mut Random| random.pick(&[" ", "  ", "\t", " \\\n ", " \\\n", "\\\n "]);
    let command = format!("{}{}{}{}{}", words[0], gap(random), words[1], gap(random), words[2]);
    let line = format!("{before}{command}");
    match random.below(3) {
        0 => line,
        1 => carried(&line, random),
        _ => {
            let inner = carried(&line, random);
            carried(&inner, random)
        }
    }
}

/// A word by other means. What has to run before goes to `before`.
fn disguised_word(word: &str, random: &mut Random, before: &mut String) -> String {
    let variable = random.pick(&["x", "y", "cmd", "_a1"]);
    match random.below(12) {
        0 | 1 => word.to_owned(),
        2..=5 => word.chars().map(|c| disguised_character(c, random)).collect(),
        6 => {
            // Each word has a variable of its own.
            let variable = format!("{variable}{}", before.len());
            let value = disguised_word(word, random, before);
            before.extend([variable.as_str(), "=", value.as_str(), "; "]);
            random.pick(&[
                format!("${variable}"),
                format!("\"${{{variable}}}\""),
                format!("${{{variable}:-a}}"),
            ])
        }
        7 => {
            let variable = format!("{variable}{}", before.len());
            let (head, tail) = word.split_at(word.len() / 2);
            before.extend([variable.as_str(), "='", tail, "'; "]);
            format!("{head}${{{variable}}}")
        }
        8 => {
            let printed = random.pick(&["echo", "printf %s", "printf '%s\\n'", "echo -n", "command echo"]);
            random.pick(&[format!("$({printed} {word})"), format!("\"`{printed} {word}`\"")])
        }
        9 => format!("$'{}'", word.bytes().map(|byte| escaped_byte(byte, random)).collect::<String>()),
        10 => {
            // A name of its own: the second form sets it.
            let name = format!("unset_{}", random.below(1 << 30));
            random.pick(&[format!("${{{name}:-{word}}}"), format!("${{{name}={word}}}")])
        }
        _ => random.pick(&[
            format!("'{word}'"),
            format!("\"{word}\""),
            format!("{word}''"),
            format!("\"\"{word}"),
        ]),
    }
}

fn disguised_character(c: char, random: &mut Random) -> String {
    random.pick(&[
        c.to_string(),
        format!("\\{c}"),
        format!("'{c}'"),
        format!("\"{c}\""),
        format!("''{c}"),
        format!("$'{c}'"),
        format!("\\\n{c}"),
        format!("{c}\\\n"),
    ])
}

fn escaped_byte(byte: u8, random: &mut Random) -> String {
    match random.below(4) {
        0 => format!("\\x{byte:02x}"),
        1 => format!("\\{byte:03o}"),
        2 => format!("\\u{byte:04x}"),
        _ => char::from(byte).to_string(),
    }
}

/// A line, given to something that runs it.
fn carried(line: &str, random: &mut Random) -> String {
    let quoted = format!("'{}'", line.replace('\'', "'\\''"));
    let end = if line.ends_with('\n') { "" } else { "\n" };
    // Documents within documents end with tags of their own.
    let tag = format!("END{}", line.len());
    match random.below(24) {
        0 => format!("eval {quoted}"),
        1 => format!("{} -c {quoted}", random.pick(&["bash", "bash --norc", "/usr/bin/env bash"])),
        2 => format!("env A=b bash -c {quoted}"),
        3 => format!("bash <<'{tag}'\n{line}{end}{tag}\n"),
        4 => format!("bash <<< {quoted}"),
        5 => format!("printf '%s\\n' {quoted} | bash"),
        6 => format!("echo {quoted} | bash -s"),
        7 => format!("timeout 5 bash -c {quoted}"),
        8 => format!("nice -n 5 nohup bash -c {quoted}"),
        9 => format!("xargs -0 bash -c < <(printf '%s\\0' {quoted})"),
        10 => format!("trap {quoted} EXIT"),
        11 => format!("find . -maxdepth 0 -exec bash -c {quoted} \\;"),
        12 => format!("f() {{ {line}\n}}; f"),
        13 => format!("if true; then {line}\nfi"),
        14 => format!("for i in 1; do {line}\ndone"),
        15 => format!("{{ {line}\n}}"),
        16 => format!("( {line}\n)"),
        17 => format!("true && eval {quoted}"),
        18 => format!("false || eval {quoted}"),
        19 => format!("case a in *) eval {quoted};; esac"),
        20 => format!("x=$(bash -c {quoted}); echo \"$x\""),
        21 => format!("cat <(eval {quoted})"),
        22 => format!("source /dev/stdin <<< {quoted}"),
        _ => format!("command eval {quoted}"),
    }
}
