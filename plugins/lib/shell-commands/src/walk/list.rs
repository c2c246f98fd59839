//! Lists, pipelines and commands, in the order in which a shell runs them.

use brush_parser::ast::{
    AndOr, AndOrList, Command, CompoundCommand, CompoundList, Pipeline, Program, SeparatorOperator,
};

use super::{Walker, ends::Ends, kept};
use crate::{arg::Stream, scope::Scope};

impl Walker<'_> {
    pub(super) fn program(&mut self, program: &Program, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        let mut out = Stream::of("");
        for list in &program.complete_commands {
            out.append(&self.list(list, scope, stdin));
        }
        out
    }

    pub(super) fn list(&mut self, list: &CompoundList, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        let mut out = Stream::of("");
        for item in &list.0 {
            if matches!(item.1, SeparatorOperator::Async) {
                let was_concurrent = std::mem::replace(&mut self.is_concurrent, true);
                let mut child = scope.clone();
                out.append(&self.and_or(&item.0, &mut child, stdin));
                scope.adopt(&child);
                self.is_concurrent = was_concurrent;
            } else {
                out.append(&self.and_or(&item.0, scope, stdin));
            }
        }
        out
    }

    /// The first pipeline always runs; the others only if those before them came to the right end.
    fn and_or(&mut self, list: &AndOrList, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        if list.additional.is_empty() {
            let strayed = scope.strayed;
            let out = self.pipeline(&list.first, scope, stdin);
            if scope.ends_at_failure && scope.running.is_empty() && changes_folder(&list.first) {
                scope.strayed = strayed;
            }
            return out;
        }
        let ends_at_failure = std::mem::replace(&mut scope.ends_at_failure, false);
        let mut out = Stream::of("");
        let mut ends = self.ends(&list.first, scope.clone(), &mut out, stdin);
        for next in &list.additional {
            let (entry, pipeline) = match next {
                AndOr::And(pipeline) => (ends.success.take(), pipeline),
                AndOr::Or(pipeline) => (ends.failure.take(), pipeline),
            };
            let reached = entry.is_some();
            let after = self.ends(pipeline, entry.unwrap_or_else(|| scope.clone()), &mut out, stdin);
            if reached {
                ends.join(after);
            }
        }
        if let Some(after) = ends.either() {
            *scope = after;
        }
        scope.ends_at_failure = ends_at_failure;
        out
    }

    /// The states that a pipeline may leave behind.
    fn ends(
        &mut self,
        pipeline: &Pipeline,
        mut scope: Scope,
        out: &mut Stream,
        stdin: Option<&Stream>,
    ) -> Ends {
        let strayed = scope.strayed;
        out.append(&self.pipeline(pipeline, &mut scope, stdin));
        if never_returns(pipeline, &scope) {
            return Ends::default();
        }
        let certain = |names: &[&str]| {
            names.iter().any(|name| !scope.functions.contains_key(*name) && begins_with(pipeline, &[*name]))
        };
        let (succeeds, fails) = (certain(&["true", ":"]), certain(&["false"]));
        let failure = (!succeeds).then(|| scope.clone());
        if changes_folder(pipeline) {
            scope.strayed = strayed;
        }
        Ends { success: (!fails).then_some(scope), failure }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        if let [command] = pipeline.seq.as_slice() {
            return self.command(command, scope, stdin);
        }
        let was_concurrent = std::mem::replace(&mut self.is_concurrent, true);
        let mut piped: Option<Stream> = stdin.cloned();
        let is_kept = self.is_kept;
        let quiet = kept::count_quiet(&pipeline.seq);
        for (at, command) in pipeline.seq.iter().enumerate() {
            self.is_kept = is_kept || at < quiet;
            let mut child = scope.clone();
            // What a command prints is not the file that it read.
            piped = Some(Stream { file: None, ..self.command(command, &mut child, piped.as_ref()) });
            scope.adopt(&child);
        }
        self.is_concurrent = was_concurrent;
        self.is_kept = is_kept;
        piped.unwrap_or_default()
    }

    pub(super) fn command(&mut self, command: &Command, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        if self.is_exhausted() {
            return Stream::default();
        }
        match command {
            Command::Simple(simple) => self.simple(simple, scope, stdin),
            Command::Compound(compound, redirects) => {
                self.redirected(compound, redirects.as_ref(), scope, stdin)
            }
            Command::Function(function) => {
                self.define(function, scope);
                Stream::of("")
            }
            Command::ExtendedTest(test, redirects) => {
                self.test(&test.expr, scope);
                let outer = std::mem::take(&mut self.sinks);
                if let Some(redirects) = redirects {
                    self.redirects(redirects.0.iter(), scope, stdin);
                }
                self.feed(outer, &Stream::of(""), scope);
                Stream::of("")
            }
        }
    }
}

/// Returns true if a pipeline ends the script, or the function that contains it.
fn never_returns(pipeline: &Pipeline, scope: &Scope) -> bool {
    if let [Command::Compound(CompoundCommand::BraceGroup(group), None)] = pipeline.seq.as_slice() {
        let last = group.list.0.last().map(|item| &item.0).filter(|list| list.additional.is_empty());
        return last.is_some_and(|list| never_returns(&list.first, scope));
    }
    let exits = begins_with(pipeline, &["exit"]) && !scope.functions.contains_key("exit");
    exits || (begins_with(pipeline, &["return"]) && !scope.running.is_empty())
}

fn changes_folder(pipeline: &Pipeline) -> bool {
    begins_with(pipeline, &["cd", "pushd"])
}

/// Returns true if a pipeline is only one of these commands: its success is the command's.
fn begins_with(pipeline: &Pipeline, names: &[&str]) -> bool {
    match pipeline.seq.as_slice() {
        [Command::Simple(simple)] if !pipeline.bang => {
            simple.word_or_name.as_ref().is_some_and(|word| names.contains(&word.value.as_str()))
        }
        _ => false,
    }
}
