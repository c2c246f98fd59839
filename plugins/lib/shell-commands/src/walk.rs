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
mod list;
mod outside;
mod record;
mod redirect;
mod report;
mod script;
mod simple;
mod substitute;
mod value;
mod work;

use brush_parser::ast::CompoundList;

use crate::{
    arg::{Arg, Stream},
    budget::Budget,
    call::Call,
    facts::Recorder,
    finding::Finding,
    policy::Policy,
    rules::{self, Alias},
    scope::{Scope, absolute},
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
    is_concurrent: bool,
    /// True if the text that is walked has parts that were downloaded or decoded.
    unseen_parts: bool,
    /// True if the text that is walked is probably not a command: only certain findings count.
    probably_data: bool,
    /// Files that the commands touch, if only these are wanted: then no rule examines them.
    touched: Option<Collected>,
    /// Facts about the commands, if these are wanted.
    recorder: Option<Recorder>,
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
            is_concurrent: false,
            unseen_parts: false,
            probably_data: false,
            touched: None,
            recorder: None,
            is_kept: false,
            is_argument: false,
            has_options_of_variables: false,
            is_elsewhere: false,
            is_handed: false,
            volumes: Vec::new(),
            sinks: Vec::new(),
        }
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
            // `LESSOPEN='|command'`
            self.suspect_command(value.plain().trim_start_matches(['!', '|', '-', ' ']), scope);
            if let Some(stream) = &value.stream {
                self.suspect_command(stream.text.as_deref().unwrap_or_default(), scope);
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
}
