//! One simple command: its assignments and words.

use brush_parser::ast::{
    Assignment, AssignmentName, AssignmentValue, CommandPrefixOrSuffixItem, SimpleCommand,
};

use super::{
    Walker, kept,
    redirect::{Channels, DESCRIPTORS},
};
use crate::{
    arg::{Arg, Stream},
    budget,
    call::Call,
    finding::Finding,
    rules,
    scope::Scope,
};

impl Walker<'_> {
    pub(super) fn simple(
        &mut self,
        command: &SimpleCommand,
        scope: &mut Scope,
        stdin: Option<&Stream>,
    ) -> Stream {
        self.each_choice(
            || command.to_string(),
            scope,
            |walker, scope| walker.simple_once(command, scope, stdin),
        )
    }

    fn simple_once(&mut self, command: &SimpleCommand, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        if !self.spend(budget::COMMAND) {
            return Stream::default();
        }
        let outer = std::mem::take(&mut self.sinks);
        let prefix = command.prefix.iter().flat_map(|prefix| &prefix.0);
        let suffix = command.suffix.iter().flat_map(|suffix| &suffix.0);
        let mut words: Vec<Arg> = Vec::new();
        if let Some(name) = &command.word_or_name {
            words.extend(self.fields(&name.value, scope));
        }
        let is_kept = self.is_kept;
        let is_argument = self.is_argument;
        self.is_kept |= kept::sets_variables(&words);
        self.is_argument |= !kept::prints_arguments(&words);
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
        self.is_kept = is_kept;
        self.is_argument = is_argument;
        let redirects = prefix.clone().chain(suffix).filter_map(|item| match item {
            CommandPrefixOrSuffixItem::IoRedirect(redirect) => Some(redirect),
            _ => None,
        });
        let channels = self.redirects(redirects, scope, stdin);
        if self.touched.is_some() {
            for word in &mut words {
                name_descriptor(word, scope);
            }
        }
        let assignments: Vec<_> = prefix
            .filter_map(|item| match item {
                CommandPrefixOrSuffixItem::AssignmentWord(assignment, _) => Some(assignment),
                _ => None,
            })
            .collect();
        let out = self.start(words, &assignments, &channels, scope);
        self.feed(outer, &out, scope);
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
        let mut saved = Vec::new();
        for assignment in assignments {
            let name = scope.meant(assigned(assignment)).to_owned();
            saved.push((
                name.clone(),
                scope.variables.get(&name).cloned(),
                scope.alternatives.get(&name).cloned(),
            ));
            self.assign(assignment, scope);
        }
        let names = saved.iter().map(|(name, ..)| name.clone()).filter(|_| self.is_recorded());
        let given = names.map(|name| (name.clone(), scope.get(&name).unwrap_or_default())).collect();
        let call = Call {
            words,
            stdin: channels.stdin.clone().unwrap_or_default(),
            has_stdin: channels.stdin.is_some(),
            writes: channels.writes.clone(),
            reads: channels.reads.clone(),
            is_kept: self.is_kept || self.is_argument || channels.is_dropped(),
            is_traced: scope.is_traced,
            loaded: self.touched.as_ref().and_then(|_| scope.loaded.clone().or_else(|| scope.held())),
            output: channels.output(),
            cwd: scope.cwd.clone(),
            strayed: scope.strayed,
            workspace: self.workspace.clone(),
            touches: self.touched.is_some(),
            assignments: given,
            copies: scope.copies(),
            ..Call::default()
        };
        if call.words.is_empty() {
            self.record_redirections(&call);
            self.record_assignments(&call);
            self.judge(&call);
            // `$(< file)` prints the file.
            return if call.has_stdin { call.stdin } else { Stream::of("") };
        }
        let out = self.call(&call, scope);
        for (name, value, values) in saved.into_iter().rev() {
            match values {
                Some(values) => scope.alternatives.insert(name.clone(), values),
                None if scope.alternatives.contains_key(&name) => scope.alternatives.remove(&name),
                None => None,
            };
            match value {
                Some(value) => scope.variables.insert(name, value),
                None => scope.variables.remove(&name),
            };
        }
        out
    }

    /// Shows a command to every rule.
    pub(super) fn judge(&mut self, call: &Call) {
        if let Some(touched) = &mut self.touched {
            if self.is_elsewhere {
                return touched.add_inside(call, &self.volumes);
            }
            if self.probably_data {
                if self.is_handed {
                    touched.add_person(call);
                }
                touched.add(&Call { is_guessed: true, ..call.clone() }, self.is_kept);
            } else {
                touched.add(call, self.is_kept);
            }
            return;
        }
        let judge = if self.is_elsewhere { rules::judge_elsewhere } else { rules::judge };
        for hit in judge(call, self.policy) {
            self.keep(Finding::new(hit.code, call, &hit.does, &self.via).at(hit.place));
        }
    }

    pub(super) fn assign(&mut self, assignment: &Assignment, scope: &mut Scope) {
        let is_kept = std::mem::replace(&mut self.is_kept, true);
        self.assign_value(assignment, scope);
        self.is_kept = is_kept;
    }

    fn assign_value(&mut self, assignment: &Assignment, scope: &mut Scope) {
        let mut listed = Vec::new();
        let mut value = match &assignment.value {
            AssignmentValue::Scalar(word) => self.single(&word.value, scope),
            AssignmentValue::Array(elements) => {
                let mut all = Arg::default();
                for (key, word) in elements {
                    if let Some(key) = key {
                        self.document(&key.value, scope);
                    }
                    for field in self.fields(&word.value, scope) {
                        listed.push((key.as_ref().map(|key| key.value.clone()), field.clone()));
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
        if let AssignmentName::ArrayElementName(_, index) = &assignment.name {
            listed = vec![(Some(index.clone()), value.clone())];
        }
        listed.retain(|_| self.touched.is_some());
        scope.set_elements(name, listed, assignment.append || is_element);
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

    /// `name=value` behind a command: a word like any other, but an array is not one word, and a `~` behind the sign is a home.
    fn assignment_word(&mut self, assignment: &Assignment, text: &str, scope: &mut Scope) -> Vec<Arg> {
        match &assignment.value {
            AssignmentValue::Scalar(value) if value.value.starts_with('~') => {
                let sign = if assignment.append { "+=" } else { "=" };
                let mut fields = self.fields(&value.value, scope);
                if let Some(first) = fields.first_mut() {
                    first.text.insert_str(0, &format!("{}{sign}", assignment.name));
                }
                fields
            }
            AssignmentValue::Scalar(_) => self.fields(text, scope),
            AssignmentValue::Array(_) => {
                self.assign(assignment, scope);
                vec![Arg::new(assignment.name.to_string())]
            }
        }
    }
}

/// `/dev/fd/3` is the file that was opened under that number.
fn name_descriptor(word: &mut Arg, scope: &Scope) {
    let fd = DESCRIPTORS.iter().find_map(|folder| word.as_str().strip_prefix(folder));
    let file = fd.and_then(|fd| scope.inputs.get(&fd.parse().ok()?)?.file.clone());
    if let Some(file) = file {
        word.text = file;
    }
}

fn assigned(assignment: &Assignment) -> &str {
    match &assignment.name {
        AssignmentName::VariableName(name) | AssignmentName::ArrayElementName(name, _) => name,
    }
}
