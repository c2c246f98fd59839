//! Packs of rules about destructive programs, as data.
//!
//! A rule selects its commands in the language of [`shape`], which is also the language of the rules and exceptions in
//! the user's configuration. [`grammars`] separates options from their values as each program does, so `kubectl -n
//! shop delete ns web` is `kubectl delete ns`.

mod elsewhere;
mod grammars;
mod known;
mod place;
mod shape;
mod words;

mod cloud;
mod container;
mod database;
mod git;
mod network;
mod packages;
mod persistence;
mod publish;
mod secrets;
mod system;

use self::grammars::{Grammar, Style};
use self::known::Known;
pub(crate) use self::{elsewhere::carried_elsewhere, place::Place, shape::Shape, words::Words};
use crate::{
    call::Call,
    policy::{Policy, Severity},
    rules::{Hit, Written},
};

/// Every pack but the core, which is code. Its order is that of the documentation. A program that judges nothing has none: each is a table
/// of pointers, which are all relocated when it starts.
const PACKS: &[Pack] = if cfg!(feature = "packs") {
    &[
        git::PACK,
        cloud::PACK,
        database::PACK,
        container::PACK,
        publish::PACK,
        packages::PACK,
        persistence::PACK,
        system::PACK,
        secrets::PACK,
        network::PACK,
    ]
} else {
    &[]
};

/// The grammars of all packs' programs.
const GRAMMARS: &[&[Grammar]] = &[
    git::GRAMMARS,
    cloud::GRAMMARS,
    database::GRAMMARS,
    container::GRAMMARS,
    publish::GRAMMARS,
    packages::GRAMMARS,
    persistence::GRAMMARS,
    system::GRAMMARS,
    secrets::GRAMMARS,
    network::GRAMMARS,
];

/// Rules about one kind of work, which are switched on and off together.
#[derive(Debug)]
pub(crate) struct Pack {
    /// Its name in the configuration.
    pub(crate) name: &'static str,
    /// True if the pack is on by default.
    pub(crate) is_default: bool,
    /// Programs of the pack, with their rules.
    pub(crate) programs: &'static [Program],
    /// Files that no command writes unasked; the shapes of these rules are paths: `~/.bashrc`, `/etc/cron.d/**`,
    /// `**/sitecustomize.py`. `~` is any home.
    pub(crate) places: &'static [Rule],
    /// Rules that a shape cannot express.
    pub(crate) checks: &'static [Check],
}

/// A rule that looks at a command by itself.
#[derive(Debug)]
pub(crate) struct Check {
    /// The rule, without shapes.
    pub(crate) rule: Rule,
    /// Returns true if a command breaks the rule.
    pub(crate) is_broken: fn(&Call) -> bool,
}

impl Pack {
    /// All its rules.
    pub(crate) fn rules(&self) -> impl Iterator<Item = &'static Rule> {
        let of_programs = self.programs.iter().flat_map(|program| program.rules);
        of_programs.chain(self.places).chain(self.checks.iter().map(|check| &check.rule))
    }
}

/// The rules about one program.
#[derive(Debug)]
pub(crate) struct Program {
    /// Its names, in lower case and without a folder.
    pub(crate) names: &'static [&'static str],
    /// Rules about the program.
    pub(crate) rules: &'static [Rule],
}

/// One thing that must not happen unasked.
#[derive(Debug)]
pub(crate) struct Rule {
    /// Its stable code: words joined by hyphens. Rules of several programs may share one.
    pub(crate) code: &'static str,
    /// Severity, unless the configuration or the place changes it.
    pub(crate) severity: Severity,
    /// The commands, in the language of [`shape`], without the program.
    pub(crate) shapes: &'static [&'static str],
    /// Description of such a command, as the end of a sentence that begins with the command.
    pub(crate) does: &'static str,
    /// Alternative to such a command.
    pub(crate) instead: &'static str,
    /// Kind of the operands behind the shape.
    pub(crate) about: About,
    /// True if the rule only applies when the command's output is shown.
    pub(crate) if_shown: bool,
}

/// Kind of the operands behind a shape: their place makes a rule milder or stricter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// Nothing that has a place.
    Things,
    /// Files and folders. In a temporary folder they are nobody's loss, outside the project somebody else's.
    Paths,
    /// Branches. Some are protected.
    Branches,
}

impl Rule {
    /// Creates a rule that asks the user.
    pub(crate) const fn ask(
        code: &'static str,
        shapes: &'static [&'static str],
        does: &'static str,
        instead: &'static str,
    ) -> Self {
        Self { code, severity: Severity::Ask, shapes, does, instead, about: About::Things, if_shown: false }
    }

    /// Creates a rule that denies.
    pub(crate) const fn deny(
        code: &'static str,
        shapes: &'static [&'static str],
        does: &'static str,
        instead: &'static str,
    ) -> Self {
        Self { code, severity: Severity::Deny, shapes, does, instead, about: About::Things, if_shown: false }
    }

    /// Creates a rule that is off unless the configuration enables it.
    pub(crate) const fn off(
        code: &'static str,
        shapes: &'static [&'static str],
        does: &'static str,
        instead: &'static str,
    ) -> Self {
        Self { code, severity: Severity::Off, shapes, does, instead, about: About::Things, if_shown: false }
    }

    /// Limits the rule to commands whose output is shown: not in `X=$(…)`.
    pub(crate) const fn if_shown(mut self) -> Self {
        self.if_shown = true;
        self
    }

    /// The operands behind the shape are these.
    pub(crate) const fn about(mut self, about: About) -> Self {
        self.about = about;
        self
    }
}

/// Returns the findings of the enabled packs about a command and the files that it writes.
pub(crate) fn judge(call: &Call, written: &[Written], policy: &Policy) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    if !cfg!(feature = "packs") {
        return hits;
    }
    judge_by(|pack| policy.has(pack), (call, written), policy, &mut hits);
    // What a container's database is told is judged as if the client ran here; nothing else in there is.
    if let Some(inside) = database::carried(call).filter(|_| policy.has(&database::PACK)) {
        judge_by(|pack| pack.name == database::PACK.name, (&inside, &[]), policy, &mut hits);
    }
    hits
}

/// Packs about what is the same from everywhere.
const FAR: &[&str] =
    &[git::PACK.name, cloud::PACK.name, database::PACK.name, container::PACK.name, publish::PACK.name];

/// Returns the findings of the enabled packs about a command that runs elsewhere.
pub(crate) fn judge_elsewhere(call: &Call, policy: &Policy) -> Vec<Hit> {
    let mut hits = Vec::new();
    judge_by(|pack| FAR.contains(&pack.name) && policy.has(pack), (call, &[]), policy, &mut hits);
    hits
}

/// Adds the findings of the selected packs.
fn judge_by(
    is_asked: impl Fn(&Pack) -> bool,
    (call, written): (&Call, &[Written]),
    policy: &Policy,
    hits: &mut Vec<Hit>,
) {
    let known = Known::by_name(call.name());
    let files = place::of_written(written, call);
    let mut words: Option<Words> = None;
    for (place, pack) in PACKS.iter().enumerate().filter(|(_, pack)| is_asked(pack)) {
        if known.has(place) {
            judge_programs(pack, call, &mut words, policy, hits);
        }
        judge_rest(pack, call, &files, hits);
    }
}

/// A place whose files run by themselves later, or open a door that stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PersistentPlace {
    /// Its stable code.
    pub code: &'static str,
    /// Effect of a write, as the end of a sentence.
    pub does: &'static str,
    /// Alternative to the write.
    pub instead: &'static str,
    /// True if the write is denied; otherwise the user is asked.
    pub is_denied: bool,
}

/// The place of a file, for tools that write files without a command. A relative path is meant from `cwd`.
pub fn persistent_place(path: &str, cwd: &str) -> Option<PersistentPlace> {
    let file = if path.starts_with("~/") { path.to_owned() } else { place::from_home(path, Some(cwd)) };
    let files = [file];
    let rule = persistence::PACK.places.iter().find(|rule| place::holds(rule.shapes, &files))?;
    let Rule { code, does, instead, severity, .. } = *rule;
    Some(PersistentPlace { code, does, instead, is_denied: severity == Severity::Deny })
}

/// Adds the findings of a pack's programs about a command.
fn judge_programs(pack: &Pack, call: &Call, words: &mut Option<Words>, policy: &Policy, hits: &mut Vec<Hit>) {
    for program in pack.programs.iter().filter(|program| program.names.contains(&call.name())) {
        let words = words.get_or_insert_with(|| Words::of(call));
        if words.asks_for_help() {
            continue;
        }
        let hit = |rule: &Rule| {
            if rule.if_shown && call.is_kept {
                return None;
            }
            let operands = rule.shapes.iter().find_map(|shape| Shape::arguments(shape).find(words))?;
            Some(Hit { place: place::of(rule.about, operands, call, policy), ..Hit::of(rule) })
        };
        hits.extend(program.rules.iter().filter_map(hit));
    }
}

/// Adds the findings of the other rules. Written places come first, because they are more specific than a check.
fn judge_rest(pack: &Pack, call: &Call, files: &[String], hits: &mut Vec<Hit>) {
    hits.extend(pack.places.iter().filter(|rule| place::holds(rule.shapes, files)).map(Hit::of));
    hits.extend(pack.checks.iter().filter(|check| (check.is_broken)(call)).map(|check| Hit::of(&check.rule)));
}

/// Every rule, with its pack.
pub(crate) fn rules() -> impl Iterator<Item = (&'static Pack, &'static Rule)> {
    PACKS.iter().flat_map(|pack| pack.rules().map(move |rule| (pack, rule)))
}

/// The pack of this name.
pub(crate) fn named(name: &str) -> Option<&'static Pack> {
    PACKS.iter().find(|pack| pack.name == name)
}

/// The names of all packs.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    PACKS.iter().map(|pack| pack.name)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Checks that all rules of a code have one severity and one advice.
    #[test]
    fn rules_that_share_a_code_come_to_the_same_and_advise_the_same() {
        let mut known: BTreeMap<&str, (&str, Severity, &str)> = BTreeMap::new();
        let mut different = Vec::new();
        for (pack, rule) in rules() {
            let what = (pack.name, rule.severity, rule.instead);
            if *known.entry(rule.code).or_insert(what) != what {
                different.push((rule.code, what));
            }
        }
        assert_eq!(different, []);
    }
}
