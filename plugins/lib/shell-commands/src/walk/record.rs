//! Facts about the commands of a walk.

use super::Walker;
use crate::{
    arg::{Arg, BELOW, Stream, UNKNOWN},
    call::Call,
    facts::{Place, Recorder, UnknownReason, join_words},
    scope::Scope,
    word::Doubt,
};
#[cfg(feature = "facts")]
use crate::{budget::Budget, policy::Policy, touched::Collected};

/// Programs that run a command on another machine.
const REMOTE: &[&str] = &["autossh", "mosh", "ssh"];

impl<'a> Walker<'a> {
    /// Walks a whole command line with a recorder; returns it, and the files that the command line touches.
    #[cfg(feature = "facts")]
    pub(crate) fn walk_facts(
        text: &str,
        (folder, workspace): (&str, &str),
        (policy, budget): (&'a Policy, &Budget),
        recorder: Recorder,
    ) -> (Recorder, Collected) {
        let new = Self::new(workspace, policy, budget.clone());
        let mut walker = Self { touched: Some(Collected::default()), recorder: Some(recorder), ..new };
        let mut scope = Scope::new(folder);
        scope.know_folders();
        walker.text(text, &mut scope, None);
        (walker.recorder.unwrap_or_default(), walker.touched.unwrap_or_default())
    }

    /// Returns true if facts are wanted.
    pub(super) fn is_recorded(&self) -> bool {
        self.recorder.is_some()
    }

    /// Returns the recorder, unless the text that is walked does not run.
    fn active_recorder(&mut self) -> Option<&mut Recorder> {
        let probably_data = self.probably_data;
        self.recorder.as_mut().filter(|recorder| !probably_data || recorder.is_guess)
    }

    /// Records a command.
    pub(super) fn record_call(&mut self, call: &Call) {
        if call.words.first().is_none_or(|first| first.text.is_empty()) {
            return;
        }
        let (is_guessed, is_elsewhere, is_unseen) =
            (self.probably_data, self.is_elsewhere, self.unseen_parts);
        let recorder = self.recorder.as_mut().filter(|recorder| !is_guessed || recorder.is_guess);
        if let Some(recorder) = recorder {
            recorder.record_command(call, Place { via: &self.via, is_elsewhere, is_guessed, is_unseen });
        }
    }

    /// Records a variable that the shell gets.
    pub(super) fn record_variable(&mut self, name: &str, value: &Arg, scope: &Scope) {
        if self.is_recorded() {
            let assignments = vec![(name.to_owned(), value.clone())];
            self.record_assignments(&Call { assignments, cwd: scope.cwd.clone(), ..Call::default() });
        }
    }

    /// Records the variables of a command without words.
    pub(super) fn record_assignments(&mut self, call: &Call) {
        if call.assignments.is_empty() {
            return;
        }
        let (is_guessed, is_elsewhere, is_unseen) =
            (self.probably_data, self.is_elsewhere, self.unseen_parts);
        let recorder = self.recorder.as_mut().filter(|recorder| !is_guessed || recorder.is_guess);
        if let Some(recorder) = recorder {
            recorder.record_assignments(call, Place { via: &self.via, is_elsewhere, is_guessed, is_unseen });
        }
    }

    /// Records an expression of arithmetic: the variables that it may set, and itself as code if the content of one of its variables is
    /// not known, because a shell evaluates that content, too.
    pub(super) fn record_expression(&mut self, text: &str, scope: &Scope) {
        if !self.is_recorded() {
            return;
        }
        let names = names_in(text);
        let is_number =
            |name: &&str| scope.get(name).is_some_and(|value| value.literal().is_some_and(is_number));
        let is_open = text.contains(['`', '[']) || text.contains("$(") || !names.iter().all(is_number);
        if let Some(recorder) = self.active_recorder().filter(|_| is_open) {
            recorder.note_unknown(UnknownReason::Code, text);
        }
        if text.contains('=') || text.contains("++") || text.contains("--") {
            for name in names {
                self.record_variable(name, &Arg::unknown(), scope);
            }
        }
    }

    /// Records the redirections of a compound command, or of a command without words.
    pub(super) fn record_redirections(&mut self, call: &Call) {
        if let Some(recorder) = self.active_recorder() {
            recorder.record_redirections(call);
        }
    }

    /// Records code that the command line does not show, by the command that runs it.
    pub(super) fn record_code(&mut self, call: &Call) {
        if let Some(recorder) = self.active_recorder() {
            recorder.note_unknown(UnknownReason::Code, &join_words(&call.words));
        }
    }

    /// Records a script by its name, or by the command that runs it, unless its text is known.
    pub(super) fn record_script(&mut self, content: &Stream, call: &Call, path: Option<&Arg>) {
        if let Some(recorder) = self.active_recorder() {
            match path.filter(|path| path.stream.is_none()) {
                Some(path) => recorder.note_script(content, path.as_str()),
                None => recorder.note_script(content, &join_words(&call.words)),
            }
        }
    }

    /// Records a script with parts that are only known when it runs: a shell reads these as code.
    pub(super) fn record_open_script(&mut self, text: &str) {
        if let Some(recorder) = self.active_recorder().filter(|_| text.contains([UNKNOWN, BELOW])) {
            recorder.note_unknown(UnknownReason::Code, text);
        }
    }

    /// Records a text that a shell evaluates again.
    pub(super) fn record_evaluation(&mut self, text: &str) {
        if let Some(recorder) = self.active_recorder() {
            recorder.note_unknown(UnknownReason::Code, text);
        }
    }

    /// Records that something could not be understood.
    pub(super) fn record_doubt(&mut self, doubt: &Doubt) {
        let probably_data = self.probably_data;
        let Some(recorder) = &mut self.recorder else { return };
        match doubt {
            Doubt::TooComplex(_) => recorder.note_text(UnknownReason::TooLarge),
            Doubt::Unreadable(_) if !probably_data => recorder.note_text(UnknownReason::Syntax),
            Doubt::Unreadable(_) => {}
        }
    }

    /// Sets if commands are recorded that are walked as if they were data; returns the value to restore.
    pub(super) fn set_guess(&mut self, is_guess: bool) -> bool {
        let probably_data = self.probably_data;
        self.recorder.as_mut().is_some_and(|recorder| {
            // A text within a text that does not run does not run either.
            let is_guess = is_guess && (!probably_data || recorder.is_guess);
            std::mem::replace(&mut recorder.is_guess, is_guess)
        })
    }

    /// Restores the value that [`Self::set_guess`] returned.
    pub(super) fn restore_guess(&mut self, is_guess: bool) {
        if let Some(recorder) = &mut self.recorder {
            recorder.is_guess = is_guess;
        }
    }

    /// Returns true if a wrapper leads to another machine, where no file, folder or variable is one of this command line.
    pub(super) fn leads_away(&self, call: &Call) -> bool {
        self.is_recorded() && call.is(REMOTE)
    }
}

/// Returns the names in an expression of arithmetic.
fn names_in(text: &str) -> Vec<&str> {
    let parts = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    parts.filter(|part| part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')).collect()
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '-')
}
