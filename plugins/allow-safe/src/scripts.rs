//! Scripts of `sed`, `awk` and `jq` that only print.

/// Words of awk that run a program, open a file or reveal the environment.
const AWK_WORDS: &[&str] =
    &["system", "getline", "ENVIRON", "ARGV", "ARGC", "@", "PROCINFO", "|", "extension"];
/// Words of jq that reveal the environment or load other files.
const JQ_WORDS: &[&str] = &["env", "ENV", "import", "include", "modulemeta", "get_search_list"];
/// Commands of sed without a file, a program or a text.
const SED_COMMANDS: &str = "pdDPnNgGhHxlq=";
/// Flags of `s` without a file or a program.
const SED_FLAGS: &str = "gpiI0123456789";

/// Returns true if an awk script only computes and prints. A `>` is a comparison only if nothing is printed.
pub(crate) fn is_harmless_awk(script: &str) -> bool {
    let script = script.replace("||", " ");
    let opens = AWK_WORDS.iter().any(|word| script.contains(word));
    let writes = script.contains('>') && script.contains("print");
    !opens && !writes && !script.contains("\\\n")
}

/// Returns true if a jq filter reads its input only.
pub(crate) fn is_harmless_jq(filter: &str) -> bool {
    !JQ_WORDS.iter().any(|word| filter.contains(word))
}

/// Returns true if every command of a sed script is in the short list: printing, deleting, joining, `s` and `y`.
pub(crate) fn is_harmless_sed(script: &str) -> bool {
    let mut rest = script;
    loop {
        rest = rest.trim_start_matches([' ', '\t', '\n', ';']);
        if rest.is_empty() {
            return true;
        }
        match read_command(rest) {
            Some(behind) => rest = behind,
            None => return false,
        }
    }
}

/// Reads one command with its addresses; returns the text behind it.
fn read_command(text: &str) -> Option<&str> {
    let mut rest = text;
    if let Some(behind) = read_address(rest) {
        rest = behind.trim_start();
        if let Some(second) = rest.strip_prefix(',') {
            rest = read_address(second.trim_start())?.trim_start();
        }
    }
    rest = rest.trim_start_matches(['!', ' ']);
    let command = rest.chars().next()?;
    let behind = rest.get(1..)?;
    let behind = match command {
        's' => read_parts(behind, 2)?.trim_start_matches(|c| SED_FLAGS.contains(c)),
        'y' => read_parts(behind, 2)?,
        'q' => behind.trim_start_matches(|c: char| c.is_ascii_digit() || c == ' '),
        command if SED_COMMANDS.contains(command) => behind,
        _ => return None,
    };
    let behind = behind.trim_start_matches([' ', '\t']);
    (behind.is_empty() || behind.starts_with([';', '\n'])).then_some(behind)
}

fn read_address(text: &str) -> Option<&str> {
    if let Some(behind) = text.strip_prefix('$') {
        return Some(behind);
    }
    if text.starts_with('/') {
        return Some(read_parts(text, 1)?.trim_start_matches('I'));
    }
    let text = text.strip_prefix('+').unwrap_or(text);
    let behind = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '~');
    (behind.len() < text.len()).then_some(behind)
}

/// Reads parts between delimiters, the first character of the text; returns the text behind the last delimiter. A delimiter inside brackets
/// ends a part for some versions of sed and not for others, so such a text is refused.
fn read_parts(text: &str, count: usize) -> Option<&str> {
    let delimiter = text.chars().next().filter(|c| c.is_ascii_punctuation() && *c != '\\')?;
    let (mut left, mut in_brackets, mut escaped) = (count, false, false);
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == delimiter && in_brackets => return None,
            c if c == delimiter => {
                left -= 1;
                if left == 0 {
                    return text.get(at + 1..);
                }
            }
            '\n' => return None,
            '[' if left == count => in_brackets = true,
            ']' => in_brackets = false,
            _ => {}
        }
    }
    None
}
