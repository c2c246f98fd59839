//! Walks a command line the way a shell would run it, without running anything.
//!
//! Every branch is taken, every loop is gone through twice, every script that the text contains is
//! parsed again. Rules see each simple command once its words are evaluated.

mod builtin;
mod choice;
mod compound;
mod cut;
mod endless;
mod ends;
mod environment;
mod follow;
mod kept;
mod outside;
mod redirect;
mod simple;
mod substitute;
mod value;

use brush_parser::ast::{
    AndOr, AndOrList, Command, CompoundCommand, CompoundList, Pipeline, Program, SeparatorOperator,
};

use self::ends::Ends;
use crate::{
    arg::{Arg, Stream, unglob},
    budget::Budget,
    call::Call,
    codes,
    finding::Finding,
    policy::{Policy, Severity},
    rules::{self, Alias},
    scope::{Scope, absolute},
    source,
    touched::Collected,
    word::Doubt,
    wrapper,
};

/// Maximum depth of scripts and wrappers, in steps: eight shells within shells, or a longer row of wrappers.
const MAX_DEPTH: usize = 40;
/// The steps that a script within a script takes; a wrapper takes one.
const SCRIPT: usize = 4;
/// The step that a wrapper takes.
const WRAPPER: usize = 1;
/// How much text expansions may give in all, in bytes.
const MAX_EXPANDED: usize = 1024 * 1024;
/// Maximum size of the words in all, in bytes; those of a loop each time.
const MAX_READ: usize = 16 * 1024 * 1024;
/// Maximum number of lines behind an error that are examined, one by one.
const MAX_BROKEN_LINES: usize = 256;
/// Maximum number of lines at the end of a text with an error that are left out to find the part that a shell runs.
const MAX_BEGUN: usize = 64;
/// Maximum number of findings.
const MAX_FINDINGS: usize = 64;

/// State of a walk: its findings, and the work done so far.
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(crate) struct Walker<'a> {
    policy: &'a Policy,
    findings: Vec<Finding>,
    workspace: Option<String>,
    via: Vec<String>,
    depth: usize,
    budget: Budget,
    calls: usize,
    expanded: usize,
    /// Size of the words so far.
    read: usize,
    /// True if this command runs concurrently with others: in a pipe or in the background.
    beside: bool,
    /// True if the text that is walked has parts that were downloaded or decoded.
    unseen_parts: bool,
    /// True if the text that is walked is probably not a command: only certain findings count.
    probably_data: bool,
    /// Files that the commands touch, if only these are wanted: then no rule examines them.
    touched: Option<Collected>,
    /// True if a command's output goes into a variable, or is counted: it is not shown.
    is_kept: bool,
    /// True if a command's output becomes an argument of a command that does not print it again.
    is_argument: bool,
    /// True if the call already has the options that a program takes from variables.
    has_options_of_variables: bool,
    /// True if the command runs in a container or on another machine: then only findings that also hold from there
    /// count.
    is_elsewhere: bool,
    /// True if the text that is walked was passed to a program that may run it.
    is_handed: bool,
    /// The folders of this machine that have other names there.
    volumes: Vec<Alias>,
    /// Commands in `>(…)` of the command that is being read, to be run once their input is known.
    sinks: Vec<CompoundList>,
}

impl<'a> Walker<'a> {
    /// Walks a whole command line, started in a folder by an agent that works in another one, or there.
    pub(crate) fn run(text: &str, folder: &str, workspace: &str, policy: &'a Policy) -> Vec<Finding> {
        let mut walker = Self::new(workspace, policy, policy.budget());
        walker.text(text, &mut Scope::new(folder), None);
        walker.findings
    }

    /// The files that a whole command line touches.
    pub(crate) fn touched(
        text: &str,
        folder: &str,
        workspace: &str,
        (policy, budget): (&'a Policy, &Budget),
    ) -> Collected {
        let new = Self::new(workspace, policy, budget.clone());
        let mut walker = Self { touched: Some(Collected::default()), ..new };
        let mut scope = Scope::new(folder);
        scope.know_folders();
        walker.text(text, &mut scope, None);
        walker.touched.unwrap_or_default()
    }

    fn new(workspace: &str, policy: &'a Policy, budget: Budget) -> Self {
        Self {
            policy,
            findings: Vec::new(),
            workspace: absolute(workspace),
            via: Vec::new(),
            depth: 0,
            budget,
            calls: 0,
            expanded: 0,
            read: 0,
            beside: false,
            unseen_parts: false,
            probably_data: false,
            touched: None,
            is_kept: false,
            is_argument: false,
            has_options_of_variables: false,
            is_elsewhere: false,
            is_handed: false,
            volumes: Vec::new(),
            sinks: Vec::new(),
        }
    }

    /// Parses and walks text in a scope; gives what it prints.
    fn text(&mut self, text: &str, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        if self.is_exhausted() {
            self.exhausted();
            return Stream::default();
        }
        let text: String = text.chars().map(unglob).collect();
        match source::parse(&text) {
            Ok(source) => {
                for pattern in &source.patterns {
                    self.suspect(pattern, scope);
                }
                self.program(&source.program, scope, stdin)
            }
            Err(doubt) => {
                let is_unreadable = matches!(doubt, Doubt::Unreadable(_));
                if !is_unreadable || !self.broken(&text, scope, stdin) {
                    self.doubt(doubt);
                    if is_unreadable && self.touched.is_some() {
                        self.begun(&text, scope, stdin);
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
    fn suspect(&mut self, text: &str, scope: &Scope) -> Stream {
        let probably_data = std::mem::replace(&mut self.probably_data, true);
        let mut child = scope.clone();
        self.nested(None, |walker| walker.text(text, &mut child, None));
        self.probably_data = probably_data;
        Stream::default()
    }

    /// Gives a variable a value, which some program may run.
    fn give(&mut self, name: &str, value: Arg, scope: &mut Scope) {
        if let Some(what) = rules::git_variable(scope.meant(name), &value) {
            let call = Call { words: vec![Arg::new(name)], ..Call::default() };
            self.report("hook-config", &call, &what);
        }
        if name == "SHELLOPTS" {
            scope.is_traced |= value.text.contains("xtrace") || value.text.contains("verbose");
        }
        if wrapper::is_run(scope.meant(name)) {
            self.suspect(value.plain().trim_start_matches('!'), scope);
            if let Some(stream) = &value.stream {
                self.suspect(stream.text.as_deref().unwrap_or_default(), scope);
            }
        }
        scope.set(name, value);
    }

    /// Walks a script inside the script.
    fn nested(&mut self, label: Option<&str>, walk: impl FnOnce(&mut Self) -> Stream) -> Stream {
        self.deeper(SCRIPT, label, walk)
    }

    fn deeper(
        &mut self,
        steps: usize,
        label: Option<&str>,
        walk: impl FnOnce(&mut Self) -> Stream,
    ) -> Stream {
        if self.depth + steps > MAX_DEPTH {
            self.doubt(Doubt::TooComplex("scripts within scripts nest too deep"));
            return Stream::default();
        }
        self.depth += steps;
        self.via.extend(label.map(str::to_owned));
        let stream = walk(self);
        if label.is_some() {
            self.via.pop();
        }
        self.depth -= steps;
        stream
    }

    fn program(&mut self, program: &Program, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        let mut out = Stream::of("");
        for list in &program.complete_commands {
            out.append(&self.list(list, scope, stdin));
        }
        out
    }

    fn list(&mut self, list: &CompoundList, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        let mut out = Stream::of("");
        for item in &list.0 {
            if matches!(item.1, SeparatorOperator::Async) {
                let beside = std::mem::replace(&mut self.beside, true);
                let mut child = scope.clone();
                out.append(&self.and_or(&item.0, &mut child, stdin));
                scope.adopt(&child);
                self.beside = beside;
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
        let beside = std::mem::replace(&mut self.beside, true);
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
        self.beside = beside;
        self.is_kept = is_kept;
        piped.unwrap_or_default()
    }

    fn command(&mut self, command: &Command, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
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

    /// Counts work that no other limit sees.
    fn spend_text(&mut self, bytes: usize) -> bool {
        self.expanded = self.expanded.saturating_add(bytes);
        if self.expanded > MAX_EXPANDED {
            self.doubt(Doubt::TooComplex("its words expand to too much text"));
            return false;
        }
        true
    }

    /// Counts work, by an estimate; false if there is none left.
    fn spend(&mut self, work: usize) -> bool {
        let is_left = self.budget.spend(work);
        if !is_left {
            self.exhausted();
        }
        is_left
    }

    fn exhausted(&mut self) {
        self.doubt(Doubt::TooComplex("it does more than is looked at in one call"));
    }

    /// Counts what has to be read, whatever it becomes.
    fn spend_word(&mut self, bytes: usize) -> bool {
        self.read = self.read.saturating_add(bytes);
        if self.read > MAX_READ {
            self.doubt(Doubt::TooComplex("its words have too much text"));
            return false;
        }
        true
    }

    fn is_exhausted(&self) -> bool {
        self.budget.is_spent()
            || self.expanded > MAX_EXPANDED
            || self.read > MAX_READ
            || self.touched.as_ref().is_some_and(|touched| touched.is_cut)
    }

    /// Reports a finding about a command.
    fn report(&mut self, code: &'static str, call: &Call, what: &str) {
        let finding = Finding::new(code, call, what, &self.via);
        self.keep(finding);
    }

    /// Reports that something could not be understood.
    fn doubt(&mut self, doubt: Doubt) {
        if let (Some(touched), Doubt::TooComplex(_)) = (&mut self.touched, &doubt) {
            touched.is_cut = true;
        }
        let (code, why) = match doubt {
            Doubt::Unreadable(why) => ("unparsable", why),
            Doubt::TooComplex(why) => ("too-complex", why),
        };
        let finding = Finding::about(code, &format!("the command can not be judged: {why}"), &self.via);
        self.keep(finding);
    }

    /// Reports a command that is only known when it runs.
    fn unknown_command(&mut self, words: &[Arg]) {
        let call = Call { words: words.to_vec(), ..Call::default() };
        self.report("unknown-command", &call, "runs a command that is only known when it runs");
    }

    fn keep(&mut self, finding: Finding) {
        let is_of_core = || codes::named(finding.code).is_some_and(|code| code.is_of_core());
        if self.touched.is_some() || (self.is_elsewhere && is_of_core()) {
            return;
        }
        let certain = !matches!(finding.code, "unparsable" | "unknown-command" | "unknown-argument");
        // What is not reported must not crowd out what is.
        let is_reported = self.policy.severity_at(finding.code, finding.place) > Severity::Off;
        let wanted = is_reported && (certain || !self.probably_data);
        if wanted && self.findings.len() < MAX_FINDINGS && !self.findings.contains(&finding) {
            self.findings.push(finding);
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
