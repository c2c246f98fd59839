//! Programs that only a variable from outside names: `"$EDITOR" file`, `$PYTHON x.py`.

use super::Walker;
use crate::{
    arg::Arg,
    call::Call,
    codes,
    policy::Severity,
    rules,
    scope::Scope,
    target::{Target, classify},
};

/// Programs that such a variable may name, for which the arguments would be dangerous.
const PROGRAMS: &[&str] = &[
    "chmod",
    "chown",
    "cp",
    "curl",
    "dd",
    "find",
    "git",
    "kill",
    "mkfs",
    "mv",
    "nc",
    "rm",
    "rsync",
    "shred",
    "systemctl",
    "tee",
];
/// Programs that such a variable may name, for which the arguments would be code.
const RUNNERS: &[&str] = &["env", "eval", "sh", "sudo"];
/// More arguments than this are not looked at.
const MAX_ARGUMENTS: usize = 48;

/// Several words could be a removal with its options: then a path behind them is all that it needs, and without
/// anything behind them they are the whole command.
fn is_all_or_names_what_must_stay(call: &Call) -> bool {
    let must_stay = |arg: &Arg| classify(arg.as_str(), call).is_some_and(|target| target != Target::Here);
    call.args().is_empty() || call.args().iter().any(must_stay)
}

impl Walker<'_> {
    /// A program of which only the arguments are known. The person set the variable: only arguments that
    /// would be dangerous for some program are worth a question.
    pub(super) fn unknown_program(&mut self, call: &Call, first: &Arg, scope: &Scope) {
        if self.touched.is_some() {
            return;
        }
        let few = call.words.len() <= MAX_ARGUMENTS;
        // What is walked as something else already must not multiply.
        let harmless = first.from_outside
            && few
            && !self.probably_data
            && !(first.may_be_several && is_all_or_names_what_must_stay(call))
            && !self.is_dangerous(call, scope);
        if !harmless {
            self.unknown_command(&call.words);
        }
    }

    fn is_dangerous(&mut self, call: &Call, scope: &Scope) -> bool {
        let named = |name: &str| call.with_words(&[&[Arg::new(name)], call.args()].concat());
        let own = self.policy.own.iter().filter_map(|rule| rule.command.split_once(char::is_whitespace));
        let own = own.flat_map(|(program, _)| program.split('|'));
        // `"$TOOL" enable x` is a word of many programs; what the other packs are about says too little.
        let is_telling =
            |code: &str| codes::named(code).is_none_or(|code| matches!(code.pack(), "core" | "git"));
        let counts = |code: &str| {
            self.policy.severity(code) > Severity::Off && code != "unknown-argument" && is_telling(code)
        };
        let mut programs = PROGRAMS.iter().copied().chain(own);
        if programs.any(|name| rules::judge(&named(name), self.policy).iter().any(|hit| counts(hit.code))) {
            return true;
        }
        RUNNERS.iter().any(|name| self.would_find(true, &named(name), scope))
            || (1..call.words.len()).any(|at| {
                let rest = call.words.get(at..).unwrap_or_default();
                self.would_find(true, &call.with_words(rest), scope)
            })
            // A script that is only known when it runs is worth the question, too.
            || self.would_find(false, &Call { is_guessed: true, ..named("sh") }, scope)
    }

    /// Returns true if a command has findings; with `certain`, only certain findings count.
    fn would_find(&mut self, certain: bool, call: &Call, scope: &Scope) -> bool {
        let findings = std::mem::take(&mut self.findings);
        let probably_data = std::mem::replace(&mut self.probably_data, certain);
        self.call(call, &mut scope.clone());
        self.probably_data = probably_data;
        let found = std::mem::replace(&mut self.findings, findings);
        found.iter().any(|finding| self.policy.severity(finding.code) > Severity::Off)
    }
}
