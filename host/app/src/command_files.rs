//! The files that a command of a project names.
//!
//! One walk over the words of a command serves to find the files when the command is trusted, and to put their copies in the place of
//! the files when it runs. So nothing runs by another reading than the one that was reviewed.

use std::path::Path;

use hookbox::hook::ShellCommand;
use shell_commands::is_shell;

use crate::{
    closure::ContentError,
    command_words::{self, Word, quote_word},
};

/// Maximum nesting of command lines (`sh -c 'sh -c …'`).
pub(crate) const MAX_DEPTH: u8 = 8;

/// Commands that change the folder, where a relative path is another file.
const CHANGING_FOLDER: [&str; 3] = ["cd", "popd", "pushd"];

/// Returns what a word is replaced with: `None` if it names no file of the project.
type Replacement<'a> = dyn FnMut(&str) -> Result<Option<String>, ContentError> + 'a;

/// Replaces the words of `command` that name files. `root` is the project's folder, `folder` is where the command runs.
///
/// # Errors
///
/// Which files a word names is not known before the command runs, or the replacement failed.
pub(crate) fn replace_file_words(
    command: &ShellCommand,
    (root, folder): (&Path, &Path),
    replacement: &mut Replacement<'_>,
) -> Result<ShellCommand, ContentError> {
    let text = |path: &Path| path.to_str().map(str::to_owned).ok_or(ContentError::ProjectPath);
    let mut walk = Walk { root: text(root)?, folder: text(folder)?, depth: 0, replacement };
    Ok(match command {
        ShellCommand::Line(line) => ShellCommand::Line(walk.replace_in_line(line)?),
        ShellCommand::Argv(words) => ShellCommand::Argv(walk.replace_words(words)?),
    })
}

struct Walk<'a, 'r> {
    root: String,
    folder: String,
    depth: u8,
    replacement: &'a mut Replacement<'r>,
}

/// State that words set for those that follow. It is kept across commands of a line: too strict a check does no harm.
#[derive(Default)]
struct WordState {
    /// A shell is among the words.
    shell: bool,
    /// The next word that is not an option is a command line.
    text_follows: bool,
}

impl Walk<'_, '_> {
    fn replace_in_line(&mut self, line: &str) -> Result<String, ContentError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(ContentError::TooDeep);
        }
        let words = command_words::split_line(line, &self.root, &self.folder);
        let words = words
            .map_err(|unknown| ContentError::Expanded { word: unknown.word, expansion: unknown.what })?;
        let (mut whole, mut copied, mut seen) = (String::new(), 0, WordState::default());
        for Word { place, value } in words {
            // Every word is checked, not only the first: a command may follow `&&`, `then` or `{`.
            check_command(&value)?;
            let replaced = self.replace_word(&value, &mut seen)?;
            whole.push_str(line.get(copied..place.start).unwrap_or_default());
            match replaced {
                Some(replaced) => whole.push_str(&quote_word(&replaced)),
                None => whole.push_str(line.get(place.clone()).unwrap_or_default()),
            }
            copied = place.end;
        }
        whole.push_str(line.get(copied..).unwrap_or_default());
        self.depth -= 1;
        Ok(whole)
    }

    fn replace_words(&mut self, words: &[String]) -> Result<Vec<String>, ContentError> {
        let mut seen = WordState::default();
        words
            .iter()
            .map(|word| Ok(self.replace_word(word, &mut seen)?.unwrap_or_else(|| word.clone())))
            .collect()
    }

    /// Returns the replacement of a word; `None` if it stays.
    fn replace_word(&mut self, word: &str, seen: &mut WordState) -> Result<Option<String>, ContentError> {
        if word.starts_with("PATH=") {
            return Err(ContentError::SearchPath(word.to_owned()));
        }
        // More options may precede the text: `sh -c -e 'text'`, `bash +x -c 'text'`.
        if seen.text_follows && !word.starts_with(['-', '+']) {
            seen.text_follows = false;
            let line = self.replace_in_line(word)?;
            return Ok(Some(line).filter(|line| line != word));
        }
        // A shell's short options may be joined: `sh -ec 'text'`.
        let name = word.rsplit('/').next().unwrap_or_default();
        if is_shell(name) {
            seen.shell = true;
        } else if name == "eval"
            || (seen.shell && word.starts_with('-') && !word.starts_with("--") && word.contains('c'))
        {
            seen.text_follows = true;
        }
        // The whole word first: the name of a file may contain `=`.
        if let Some(whole) = (self.replacement)(word)? {
            return Ok(Some(whole));
        }
        let value = value_of(word);
        if value != word
            && let Some(replaced) = (self.replacement)(value)?
        {
            return Ok(word.strip_suffix(value).map(|option| format!("{option}{replaced}")));
        }
        self.replace_parts(word)
    }

    /// Replaces files that code for an interpreter names: each part of a word that may be a path is checked.
    fn replace_parts(&mut self, word: &str) -> Result<Option<String>, ContentError> {
        let (mut whole, mut rest, mut has_file) = (String::new(), word, false);
        for part in word.split(|c| !is_of_a_path(c)).filter(|part| *part != word) {
            let (before, after) = rest.split_at(rest.find(part).unwrap_or_default());
            let replaced = (self.replacement)(part)?;
            has_file |= replaced.is_some();
            whole.push_str(before);
            whole.push_str(replaced.as_deref().unwrap_or(part));
            rest = after.get(part.len()..).unwrap_or_default();
        }
        Ok(has_file.then(|| whole + rest))
    }
}

fn check_command(name: &str) -> Result<(), ContentError> {
    if CHANGING_FOLDER.contains(&name) {
        return Err(ContentError::ChangedFolder(name.to_owned()));
    }
    Ok(())
}

/// Returns the value of an option like `--config=scripts/a.toml`; any other word unchanged.
pub(crate) fn value_of(word: &str) -> &str {
    word.split_once('=').map_or(word, |(_, value)| value)
}

/// Returns true for characters other than quotes, white space and those that a shell treats specially.
pub(crate) fn is_of_a_path(c: char) -> bool {
    !c.is_whitespace()
        && !matches!(c, '\'' | '"' | '`' | ';' | '&' | '|' | '(' | ')' | '<' | '>' | '$' | '{' | '}' | '=')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Replaces the files `a.sh` and `sub/b` by their copies.
    fn replace_copies(command: &ShellCommand) -> Result<ShellCommand, ContentError> {
        let places = (Path::new("/p"), Path::new("/p"));
        replace_file_words(command, places, &mut |word| {
            let path = word.strip_prefix("/p/").or(word.strip_prefix("./")).unwrap_or(word);
            Ok(["a.sh", "sub/b"].contains(&path).then(|| format!("/store/{}", path.len())))
        })
    }

    fn replace_line(line: &str) -> Result<String, ContentError> {
        match replace_copies(&ShellCommand::Line(line.to_owned()))? {
            ShellCommand::Line(line) => Ok(line),
            ShellCommand::Argv(words) => Ok(words.join(" ")),
        }
    }

    #[test]
    fn each_word_of_a_list_that_names_a_file_or_gives_one_to_an_option_is_replaced() {
        let words =
            ["a.sh", "--run=a.sh", "--run=b.sh", "b.sh", "--run=", "", "=", "sh", "-c", "a.sh | 'sub/b'"];
        let copied = [
            "/store/4",
            "--run=/store/4",
            "--run=b.sh",
            "b.sh",
            "--run=",
            "",
            "=",
            "sh",
            "-c",
            "/store/4 | /store/5",
        ];
        let argv = |words: [&str; 10]| ShellCommand::Argv(words.map(str::to_owned).into());
        assert_eq!(replace_copies(&argv(words)).unwrap(), argv(copied));
    }

    #[test]
    fn a_file_is_found_in_a_line_however_it_is_written() {
        for (written, copied) in [
            ("./a.sh", "/store/4"),
            (
                r#"sh ./a.sh --x=sub/b "sub/b" 'a.sh';a.sh|bb b"#,
                "sh /store/4 --x=/store/5 /store/5 /store/4;/store/4|bb b",
            ),
            (r#""$CLAUDE_PROJECT_DIR"/a.sh x"#, "/store/4 x"),
            (r#""${CLAUDE_PROJECT_DIR}/sub/b""#, "/store/5"),
            ("$PWD/a.sh", "/store/4"),
            ("s'ub'/b", "/store/5"),
            (r"s\ub/b", "/store/5"),
            (r#"sh -c 'exec "$PWD"/a.sh'"#, "sh -c 'exec /store/4'"),
            (r#"env A=1 bash -ec "./a.sh 'x y'""#, r"env A=1 bash -ec '/store/4 '\''x y'\'''"),
            ("eval a.sh", "eval /store/4"),
            (r#"python3 -c 'exec(open("a.sh").read())'"#, r#"python3 -c 'exec(open("/store/4").read())'"#),
            ("2>/dev/null <a.sh cat", "2>/dev/null </store/4 cat"),
            ("make lint # a.sh", "make lint # a.sh"),
            ("", ""),
            ("é a.sh ", "é /store/4 "),
        ] {
            assert_eq!(replace_line(written).unwrap(), copied, "{written}");
        }
    }

    #[test]
    fn a_line_whose_files_are_not_known_is_refused_with_what_to_write() {
        for (written, message) in [
            (r#"sh "$DIR"/a.sh"#, r#"`\"$DIR\"/a.sh` has a variable"#),
            ("sh -c 'sh $0' a.sh", "`$0` has a variable"),
            ("sh *.sh", "`*.sh` has a pattern of file names"),
            ("sh {a,b}.sh", "`{a,b}.sh` has alternatives in braces"),
            ("cd sub && sh b", "`cd` goes to another folder"),
            ("PATH=sub:/bin b", "`PATH=sub:/bin` decides which programs run"),
            ("sh `cat x`", "``cat` has the output of a command"),
        ] {
            let why = replace_line(written).unwrap_err().to_string();
            assert!(
                why.starts_with(message) && why.contains(r#"argv = ["sh", "scripts/check.sh"]"#),
                "{why}"
            );
        }
        let nested = (0..9).fold("a.sh".to_owned(), |inner, _| format!("sh -c {}", quote_word(&inner)));
        let why = replace_line(&nested).unwrap_err().to_string();
        assert!(why.starts_with("it has more than 8 command lines within each other"), "{why}");
    }
}
