//! One simple command: its assignments, words and redirections.

use brush_parser::ast::{
    Assignment, AssignmentName, AssignmentValue, CommandPrefixOrSuffixItem, IoFileRedirectKind,
    IoFileRedirectTarget, IoRedirect, ProcessSubstitutionKind, SimpleCommand, SubshellCommand,
};

use super::Walker;
use crate::{
    arg::{Arg, Origin, Stream},
    call::Call,
    rules,
    scope::Scope,
    secret::is_secret,
};

/// Where a command's bytes come from and go to.
#[derive(Default)]
pub(super) struct Channels {
    /// What it reads, if that is known or piped.
    pub(super) stdin: Option<Stream>,
    /// The files that it writes.
    pub(super) writes: Vec<Arg>,
    /// The file that its output goes to, and whether it is added at the end.
    output: Option<(String, bool)>,
    /// Whether its output goes somewhere else than to its caller.
    captured: bool,
}

impl Channels {
    /// What is left of the output for the next command in the pipe.
    pub(super) fn deliver(&self, out: Stream, scope: &mut Scope) -> Stream {
        if let Some((path, append)) = &self.output {
            scope.write_file(path, &out, *append);
        }
        if self.captured { Stream::of("") } else { out }
    }
}

impl Walker<'_> {
    pub(super) fn simple(
        &mut self,
        command: &SimpleCommand,
        scope: &mut Scope,
        stdin: Option<&Stream>,
    ) -> Stream {
        let prefix = command.prefix.iter().flat_map(|prefix| &prefix.0);
        let suffix = command.suffix.iter().flat_map(|suffix| &suffix.0);
        let mut words: Vec<Arg> = Vec::new();
        if let Some(name) = &command.word_or_name {
            words.extend(self.fields(&name.value, scope));
        }
        for item in suffix.clone() {
            match item {
                CommandPrefixOrSuffixItem::Word(word) => words.extend(self.fields(&word.value, scope)),
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, word) => {
                    words.extend(self.assignment_word(assignment, &word.value, scope));
                }
                CommandPrefixOrSuffixItem::ProcessSubstitution(kind, subshell) => {
                    words.push(self.process_substitution(kind, subshell, scope));
                }
                CommandPrefixOrSuffixItem::IoRedirect(_) => {}
            }
        }
        let redirects = prefix.clone().chain(suffix).filter_map(|item| match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => Some(redirect),
            _ => None,
        });
        let channels = self.redirects(redirects, scope, stdin);
        let assignments: Vec<_> = prefix
            .filter_map(|item| match item {
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => Some(assignment),
                _ => None,
            })
            .collect();
        let out = self.start(words, &assignments, &channels, scope);
        channels.deliver(out, scope)
    }

    /// Assignments before a command hold while it runs, those without one hold from then on.
    fn start(
        &mut self,
        words: Vec<Arg>,
        assignments: &[&Assignment],
        channels: &Channels,
        scope: &mut Scope,
    ) -> Stream {
        let saved = scope.variables.clone();
        for assignment in assignments {
            self.assign(assignment, scope);
        }
        let call = Call {
            words,
            stdin: channels.stdin.clone().unwrap_or_default(),
            has_stdin: channels.stdin.is_some(),
            writes: channels.writes.clone(),
            cwd: scope.cwd.clone(),
            strayed: scope.strayed,
            workspace: self.workspace.clone(),
        };
        if call.words.is_empty() {
            self.judge(&call);
            // `$(< file)` prints the file.
            return if call.has_stdin { call.stdin } else { Stream::of("") };
        }
        let out = self.call(&call, scope);
        if !assignments.is_empty() {
            scope.variables = saved;
        }
        out
    }

    /// Shows a command to every rule.
    pub(super) fn judge(&mut self, call: &Call) {
        for (code, what) in rules::judge(call, self.policy) {
            self.report(code, call, &what);
        }
    }

    pub(super) fn assign(&mut self, assignment: &Assignment, scope: &mut Scope) {
        let mut value = match &assignment.value {
            AssignmentValue::Scalar(word) => self.single(&word.value, scope),
            AssignmentValue::Array(elements) => {
                let mut all = Arg::default();
                for (key, word) in elements {
                    if let Some(key) = key {
                        self.document(&key.value, scope);
                    }
                    for field in self.fields(&word.value, scope) {
                        all.text.extend((!all.text.is_empty()).then_some(' '));
                        all.text.push_str(&field.plain());
                        all.origin.join(&field.origin);
                    }
                }
                all
            }
        };
        let (name, is_element) = match &assignment.name {
            AssignmentName::VariableName(name) => (name, false),
            AssignmentName::ArrayElementName(name, index) => {
                self.document(index, scope);
                (name, true)
            }
        };
        if assignment.append || is_element {
            let mut old = scope.get(name).unwrap_or_default();
            old.text.extend((is_element && !old.text.is_empty()).then_some(' '));
            old.text.push_str(&value.text);
            old.origin.join(&value.origin);
            value = old;
        }
        // An expression that uses the variable would run it.
        self.subscript(&value.text, scope);
        if self.spend_text(value.text.len()) {
            self.give(name, value, scope);
        }
    }

    /// `name=value` behind a command: a word like any other, but an array is not one word.
    fn assignment_word(&mut self, assignment: &Assignment, text: &str, scope: &mut Scope) -> Vec<Arg> {
        match &assignment.value {
            AssignmentValue::Scalar(_) => self.fields(text, scope),
            AssignmentValue::Array(_) => {
                self.assign(assignment, scope);
                vec![Arg::new(assignment.name.to_string())]
            }
        }
    }

    fn process_substitution(
        &mut self,
        kind: &ProcessSubstitutionKind,
        subshell: &SubshellCommand,
        scope: &mut Scope,
    ) -> Arg {
        let mut child = scope.clone();
        let beside = std::mem::replace(&mut self.beside, true);
        let out = self.nested(Some("<(…)"), |walker| walker.list(&subshell.list, &mut child, None));
        self.beside = beside;
        scope.adopt(&child);
        match kind {
            ProcessSubstitutionKind::Read => {
                Arg { origin: out.origin.clone(), stream: Some(Box::new(out)), ..Arg::unknown() }
            }
            ProcessSubstitutionKind::Write => Arg::unknown(),
        }
    }

    pub(super) fn redirects<'r>(
        &mut self,
        redirects: impl Iterator<Item = &'r IoRedirect>,
        scope: &mut Scope,
        stdin: Option<&Stream>,
    ) -> Channels {
        let mut channels = Channels { stdin: stdin.cloned(), ..Channels::default() };
        for redirect in redirects {
            match redirect {
                IoRedirect::File(fd, kind, target) => {
                    self.redirect_file(*fd, kind, target, scope, &mut channels);
                }
                IoRedirect::HereDocument(_, document) => {
                    let text = document.doc.value.as_str();
                    let body =
                        if document.requires_expansion { self.document(text, scope) } else { Arg::new(text) };
                    channels.stdin = Some(content(&body));
                }
                IoRedirect::HereString(_, word) => {
                    let mut body = self.single(&word.value, scope);
                    body.text.push('\n');
                    channels.stdin = Some(content(&body));
                }
                IoRedirect::OutputAndError(word, append) => {
                    let target = self.target(&word.value, scope);
                    write(&mut channels, target, *append, true);
                }
            }
        }
        channels
    }

    fn redirect_file(
        &mut self,
        fd: Option<i32>,
        kind: &IoFileRedirectKind,
        target: &IoFileRedirectTarget,
        scope: &mut Scope,
        channels: &mut Channels,
    ) {
        let target = match target {
            IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                self.target(&word.value, scope)
            }
            IoFileRedirectTarget::ProcessSubstitution(side, subshell) => {
                self.process_substitution(side, subshell, scope)
            }
            IoFileRedirectTarget::Fd(_) => return,
        };
        match kind {
            IoFileRedirectKind::Read if fd.is_none_or(|fd| fd == 0) => {
                channels.stdin = Some(file_content(&target, scope));
            }
            IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput => {}
            IoFileRedirectKind::DuplicateOutput if is_descriptor(target.as_str()) => {}
            IoFileRedirectKind::Append => write(channels, target, true, fd.is_none_or(|fd| fd == 1)),
            _ => write(channels, target, false, fd.is_none_or(|fd| fd == 1)),
        }
    }

    /// A file name: one word, whatever its value contains.
    fn target(&mut self, text: &str, scope: &mut Scope) -> Arg {
        match self.fields(text, scope).as_slice() {
            [one] => one.clone(),
            _ => Arg::unknown(),
        }
    }
}

fn write(channels: &mut Channels, target: Arg, append: bool, is_output: bool) {
    if is_output {
        channels.captured = true;
        channels.output = target.literal().map(|path| (path.to_owned(), append));
    }
    channels.writes.push(target);
}

/// `2>&1`, `>&-`.
fn is_descriptor(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '-')
}

/// What a word contains when it is fed to a command. Unknown parts stay marked in the text.
fn content(body: &Arg) -> Stream {
    Stream { text: Some(body.plain()), origin: body.origin.clone() }
}

/// What is behind a file name.
pub(super) fn file_content(target: &Arg, scope: &Scope) -> Stream {
    if let Some(stream) = &target.stream {
        return stream.as_ref().clone();
    }
    if let Some(stream) = target.literal().and_then(|path| scope.file(path)) {
        return stream.clone();
    }
    let secret = is_secret(target.as_str()).then(|| target.plain());
    Stream::from_origin(Origin { secret, ..target.origin.clone() })
}
