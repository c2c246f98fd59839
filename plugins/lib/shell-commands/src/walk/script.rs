//! Parses and walks the text of a script; of a text with an error, the part that a shell runs before it reaches the error.

use super::Walker;
use crate::{
    arg::{Stream, unglob},
    scope::Scope,
    source,
    word::Doubt,
};

/// Maximum number of lines behind an error that are examined, one by one.
const MAX_BROKEN_LINES: usize = 256;
/// Maximum number of lines at the end of a text with an error that are left out to find the part that a shell runs.
const MAX_BEGUN: usize = 64;

impl Walker<'_> {
    /// Parses and walks text in a scope; gives what it prints.
    pub(super) fn text(&mut self, text: &str, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        if self.is_exhausted() {
            self.exhausted();
            return Stream::default();
        }
        let text: String = text.chars().map(unglob).collect();
        let outer = self.recorder.as_mut().map(|recorder| recorder.enter_text(&text));
        let out = self.parsed_text(&text, scope, stdin);
        if let Some((recorder, outer)) = self.recorder.as_mut().zip(outer) {
            recorder.leave_text(outer);
        }
        out
    }

    fn parsed_text(&mut self, text: &str, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        match source::parse(text) {
            Ok(source) => {
                for pattern in &source.patterns {
                    self.suspect(pattern, scope);
                }
                self.program(&source.program, scope, stdin)
            }
            Err(doubt) => {
                let is_unreadable = matches!(doubt, Doubt::Unreadable(_));
                self.record_doubt(&doubt);
                if !is_unreadable || !self.broken(text, scope, stdin) {
                    self.doubt(doubt);
                    if is_unreadable && self.touched.is_some() {
                        self.begun(text, scope, stdin);
                    }
                }
                Stream::default()
            }
        }
    }

    /// Walks the lines in front of the one that no shell reads to its end: it runs each before it reads the next.
    fn begun(&mut self, text: &str, scope: &mut Scope, stdin: Option<&Stream>) {
        let mut ends = text.match_indices('\n').rev().map(|(end, _)| end);
        let begun = ends.by_ref().take(MAX_BEGUN).find_map(|end| source::parse(text.get(..end)?).ok());
        match begun {
            Some(source) => drop(self.program(&source.program, scope, stdin)),
            None if ends.next().is_some() => {
                self.doubt(Doubt::TooComplex("it has an error far from its end"));
            }
            None => {}
        }
    }

    /// Walks text that no shell reads to its end; false if it is not certain how far one gets.
    fn broken(&mut self, text: &str, scope: &mut Scope, stdin: Option<&Stream>) -> bool {
        let Some(source::Broken { before, behind }) = source::broken(text) else { return false };
        let Ok(source) = source::parse(before) else { return false };
        let lines: Vec<&str> = behind.lines().filter(|line| !line.trim().is_empty()).collect();
        if lines.len() > MAX_BROKEN_LINES {
            return false;
        }
        self.program(&source.program, scope, stdin);
        // As a whole only if it is shell: every line of a page of markup could break it again.
        let whole = Some(behind).filter(|behind| source::parse(behind).is_ok());
        for line in lines.into_iter().chain(whole) {
            self.suspect(line, scope);
        }
        true
    }

    /// Walks text that is probably no command: only what is certain counts.
    pub(super) fn suspect(&mut self, text: &str, scope: &Scope) -> Stream {
        self.suspect_as(false, text, scope)
    }

    /// Walks text that some program may run: only what is certain counts.
    pub(super) fn suspect_command(&mut self, text: &str, scope: &Scope) -> Stream {
        self.suspect_as(true, text, scope)
    }

    fn suspect_as(&mut self, is_guess: bool, text: &str, scope: &Scope) -> Stream {
        let is_guess = self.set_guess(is_guess);
        let probably_data = std::mem::replace(&mut self.probably_data, true);
        let mut child = scope.clone();
        self.nested(None, |walker| walker.text(text, &mut child, None));
        self.probably_data = probably_data;
        self.restore_guess(is_guess);
        Stream::default()
    }
}
