//! Groups, branches, loops, functions and tests.

use std::rc::Rc;

use brush_parser::ast::{
    BinaryPredicate, CaseClauseCommand, CaseItemPostAction, CompoundCommand, CompoundList, ExtendedTestExpr,
    ForClauseCommand, FunctionDefinition, IfClauseCommand, RedirectList, UnaryPredicate,
    WhileOrUntilClauseCommand, Word,
};

use super::{Walker, endless};
use crate::{
    arg::{Arg, Stream},
    call::Call,
    scope::Scope,
    word::{Reading, read},
};

impl Walker<'_> {
    pub(super) fn redirected(
        &mut self,
        compound: &CompoundCommand,
        redirects: Option<&RedirectList>,
        scope: &mut Scope,
        stdin: Option<&Stream>,
    ) -> Stream {
        let Some(redirects) = redirects else {
            return self.compound(compound, scope, stdin);
        };
        let outer = std::mem::take(&mut self.sinks);
        let channels = self.redirects(redirects.0.iter(), scope, stdin);
        let sinks = std::mem::replace(&mut self.sinks, outer);
        let mut call = Call { writes: channels.writes.clone(), ..Call::default() };
        if self.is_recorded() {
            let (reads, cwd) = (channels.reads.clone(), scope.cwd.clone());
            call = Call { reads, cwd, workspace: self.workspace.clone(), touches: true, ..call };
        }
        self.record_redirections(&call);
        self.judge(&call);
        let out = self.compound(compound, scope, channels.stdin.as_ref());
        let outer = std::mem::replace(&mut self.sinks, sinks);
        self.feed(outer, &out, scope);
        channels.deliver(out, scope)
    }

    fn compound(&mut self, compound: &CompoundCommand, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        match compound {
            CompoundCommand::Arithmetic(command) => self.arithmetic(&command.expr.value, scope),
            CompoundCommand::ArithmeticForClause(command) => {
                self.endless(endless::spawns_for(command));
                for part in [&command.initializer, &command.condition, &command.updater].into_iter().flatten()
                {
                    self.arithmetic(&part.value, scope);
                }
                self.twice(scope, |walker, scope| walker.list(&command.body.list, scope, stdin))
            }
            CompoundCommand::BraceGroup(group) => self.list(&group.list, scope, stdin),
            CompoundCommand::Subshell(subshell) => {
                let mut child = scope.clone();
                let out = self.list(&subshell.list, &mut child, stdin);
                scope.adopt(&child);
                out
            }
            CompoundCommand::ForClause(command) => self.for_each(command, scope, stdin),
            CompoundCommand::CaseClause(command) => self.case(command, scope, stdin),
            CompoundCommand::IfClause(command) => self.branches(command, scope, stdin),
            CompoundCommand::WhileClause(command) | CompoundCommand::UntilClause(command) => {
                let is_until = matches!(compound, CompoundCommand::UntilClause(_));
                self.endless(endless::spawns_while(command, is_until));
                self.loop_while(command, scope, stdin)
            }
            CompoundCommand::Coprocess(command) => {
                let name = command.name.as_ref().map_or("COPROC", |name| name.value.as_str());
                self.record_variable(name, &Arg::unknown(), scope);
                let was_concurrent = std::mem::replace(&mut self.is_concurrent, true);
                let mut child = scope.clone();
                self.command(&command.body, &mut child, None);
                self.is_concurrent = was_concurrent;
                Stream::of("")
            }
        }
    }

    fn endless(&mut self, spawns: bool) {
        if spawns {
            let call = Call { words: vec![Arg::new("a loop")], ..Call::default() };
            self.report("fork-bomb", &call, "starts processes for ever");
        }
    }

    /// An expression may contain substitutions, and what looks like one may be two subshells.
    pub(super) fn arithmetic(&mut self, text: &str, scope: &mut Scope) -> Stream {
        self.record_expression(text, scope);
        self.document(text, scope);
        self.suspect(text, scope);
        Stream::of("")
    }

    /// The second round sees what the first one changed.
    fn twice(&mut self, scope: &mut Scope, mut round: impl FnMut(&mut Self, &mut Scope) -> Stream) -> Stream {
        let before = scope.clone();
        let mut out = round(self, scope);
        let changed = scope.differs(&before);
        scope.merge(&before);
        if changed {
            out.append(&round(self, scope));
            scope.merge(&before);
        }
        Stream::from_origin(out.origin)
    }

    fn for_each(&mut self, command: &ForClauseCommand, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        let mut values: Vec<Arg> = match &command.values {
            Some(words) => self.listed(words, scope),
            None => scope.positional.clone().unwrap_or_else(|| vec![Arg::unknown()]),
        };
        if values.is_empty() {
            values.push(Arg::unknown());
        }
        self.twice(scope, |walker, scope| {
            let mut out = Stream::of("");
            for value in &values {
                if walker.is_exhausted() {
                    break;
                }
                walker.record_variable(&command.variable_name, value, scope);
                scope.set(&command.variable_name, value.clone());
                out.append(&walker.list(&command.body.list, scope, stdin));
            }
            out
        })
    }

    /// The words that a loop goes through, with each value that their variables may have.
    fn listed(&mut self, words: &[Word], scope: &mut Scope) -> Vec<Arg> {
        let mut values = Vec::new();
        let text = || words.iter().map(|word| word.value.as_str()).collect::<Vec<_>>().join(" ");
        self.each_choice(text, scope, |walker, scope| {
            for word in words {
                values.extend(walker.fields(&word.value, scope));
            }
            Stream::of("")
        });
        values
    }

    fn loop_while(
        &mut self,
        command: &WhileOrUntilClauseCommand,
        scope: &mut Scope,
        stdin: Option<&Stream>,
    ) -> Stream {
        self.twice(scope, |walker, scope| {
            let mut out = walker.condition(&command.0, scope, stdin);
            out.append(&walker.list(&command.1.list, scope, stdin));
            out
        })
    }

    fn branches(&mut self, command: &IfClauseCommand, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        let mut out = self.condition(&command.condition, scope, stdin);
        let mut after = scope.clone();
        out.append(&self.list(&command.then, &mut after, stdin));
        for clause in command.elses.iter().flatten() {
            if let Some(condition) = &clause.condition {
                out.append(&self.condition(condition, scope, stdin));
            }
            let mut branch = scope.clone();
            out.append(&self.list(&clause.body, &mut branch, stdin));
            after.merge(&branch);
        }
        let has_else = command.elses.iter().flatten().any(|clause| clause.condition.is_none());
        if has_else {
            *scope = after;
        } else {
            scope.merge(&after);
        }
        Stream::from_origin(out.origin)
    }

    /// Commands whose failure decides what comes next, and ends nothing.
    fn condition(&mut self, list: &CompoundList, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        let ends = std::mem::replace(&mut scope.ends_at_failure, false);
        let out = self.list(list, scope, stdin);
        scope.ends_at_failure = ends;
        out
    }

    fn case(&mut self, command: &CaseClauseCommand, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        self.single(&command.value.value, scope);
        let mut out = Stream::of("");
        let mut after: Option<Scope> = None;
        // What the branch before has done, if it goes on with the next one.
        let mut before: Option<Scope> = None;
        let mut matches_any = false;
        for case in &command.cases {
            for pattern in &case.patterns {
                self.single(&pattern.value, scope);
                matches_any |= pattern.value == "*";
            }
            let mut branch = scope.clone();
            if let Some(before) = before.take() {
                branch.merge(&before);
            }
            if let Some(body) = &case.cmd {
                out.append(&self.list(body, &mut branch, stdin));
            }
            if !matches!(case.post_action, CaseItemPostAction::ExitCase) {
                before = Some(branch.clone());
            }
            match &mut after {
                Some(after) => after.merge(&branch),
                None => after = Some(branch),
            }
        }
        match after {
            Some(after) if matches_any => *scope = after,
            Some(after) => scope.merge(&after),
            None => {}
        }
        Stream::from_origin(out.origin)
    }

    /// Remembers a function and looks at its body as if it were called with anything.
    pub(super) fn define(&mut self, function: &FunctionDefinition, scope: &mut Scope) {
        let name = function.fname.value.clone();
        self.record_variable(&format!("BASH_FUNC_{name}%%"), &Arg::unknown(), scope);
        scope.functions.insert(name.clone(), Rc::new(function.body.clone()));
        let mut child = Scope { positional: None, ..scope.clone() };
        child.running.push(name);
        let was_concurrent = std::mem::replace(&mut self.is_concurrent, false);
        // Nobody has called it yet: what it would run with other arguments is only a guess.
        let is_guess = self.set_guess(false);
        let probably_data = std::mem::replace(&mut self.probably_data, true);
        self.redirected(&function.body.0, function.body.1.as_ref(), &mut child, None);
        self.probably_data = probably_data;
        self.restore_guess(is_guess);
        self.is_concurrent = was_concurrent;
        scope.adopt(&child);
    }

    pub(super) fn test(&mut self, test: &ExtendedTestExpr, scope: &mut Scope) {
        match test {
            ExtendedTestExpr::And(left, right) | ExtendedTestExpr::Or(left, right) => {
                self.test(left, scope);
                self.test(right, scope);
            }
            ExtendedTestExpr::Not(inner) | ExtendedTestExpr::Parenthesized(inner) => self.test(inner, scope),
            ExtendedTestExpr::UnaryTest(operator, word) => {
                if matches!(operator, UnaryPredicate::ShellVariableIsSetAndAssigned) {
                    self.record_expression(&word.value, scope);
                }
                self.test_word(&word.value, scope);
            }
            ExtendedTestExpr::BinaryTest(operator, left, right) => {
                if is_arithmetic(operator) {
                    self.record_expression(&left.value, scope);
                    self.record_expression(&right.value, scope);
                }
                self.test_word(&left.value, scope);
                self.test_word(&right.value, scope);
            }
        }
    }

    fn test_word(&mut self, text: &str, scope: &mut Scope) {
        match read(text, Reading::Loose) {
            Ok(atoms) => {
                let word = self.joined(&atoms, scope);
                self.subscript(&word.plain(), scope);
            }
            Err(doubt) => self.doubt(doubt),
        }
    }
}

/// Returns true if an operator of `[[` evaluates both sides as arithmetic.
fn is_arithmetic(operator: &BinaryPredicate) -> bool {
    matches!(
        operator,
        BinaryPredicate::ArithmeticEqualTo
            | BinaryPredicate::ArithmeticNotEqualTo
            | BinaryPredicate::ArithmeticLessThan
            | BinaryPredicate::ArithmeticLessThanOrEqualTo
            | BinaryPredicate::ArithmeticGreaterThan
            | BinaryPredicate::ArithmeticGreaterThanOrEqualTo
    )
}
