//! Commands that use a variable of which only a branch decides the value: they are judged with each.

use super::Walker;
use crate::{
    arg::{Arg, Stream},
    scope::Scope,
};

/// Maximum number of combinations of values that one command is judged with.
const MAX_CHOICES: usize = 64;

/// Values for some variables.
pub(super) type Choice = Vec<(String, Arg)>;

impl Walker<'_> {
    /// Runs something once for each combination of the values that the text's variables may have.
    pub(super) fn each_choice(
        &mut self,
        text: impl FnOnce() -> String,
        scope: &mut Scope,
        mut run: impl FnMut(&mut Self, &mut Scope) -> Stream,
    ) -> Stream {
        if scope.alternatives.is_empty() {
            return run(self, scope);
        }
        let mut choices = choices(&text(), scope).into_iter();
        let Some(first) = choices.next() else { return run(self, scope) };
        let before = scope.clone();
        let mut out = self.chosen(first, scope, &mut run);
        for choice in choices {
            let mut child = before.clone();
            let other = self.chosen(choice, &mut child, &mut run);
            scope.merge(&child);
            if other != out {
                out.origin.join(&other.origin);
                out.text = None;
            }
        }
        out
    }

    /// Runs something with these values. Variables that it does not change may have any of theirs again afterwards.
    fn chosen(
        &mut self,
        choice: Choice,
        scope: &mut Scope,
        run: &mut impl FnMut(&mut Self, &mut Scope) -> Stream,
    ) -> Stream {
        let mut any = Vec::new();
        for (name, value) in choice {
            let unchosen = (scope.variables.get(&name).cloned(), scope.alternatives.get(&name).cloned());
            scope.set(&name, value.clone());
            any.push((name, value, unchosen));
        }
        let out = run(self, scope);
        for (name, value, (unknown, values)) in any {
            if let (Some(unknown), Some(values), true) =
                (unknown, values, scope.variables.get(&name) == Some(&value))
            {
                scope.variables.insert(name.clone(), unknown);
                scope.alternatives.insert(name, values);
            }
        }
        out
    }
}

/// The combinations to judge a text with. Where they are too many, one variable after the other has its values.
fn choices(text: &str, scope: &Scope) -> Vec<Choice> {
    let indirect = text.contains("${!");
    let used = |name: &str| {
        indirect
            || scope.references.values().any(|target| target == name)
            || text.contains(&format!("${name}"))
            || text.contains(&format!("{{{name}"))
    };
    let names: Vec<(&String, &Vec<Arg>)> = scope.alternatives.iter().filter(|(name, _)| used(name)).collect();
    if names.is_empty() {
        return Vec::new();
    }
    let count = names.iter().fold(1usize, |count, (_, values)| count.saturating_mul(values.len()));
    let one = |name: &String, value: &Arg| (name.clone(), value.clone());
    if count > MAX_CHOICES {
        return names
            .iter()
            .flat_map(|(name, values)| values.iter().map(move |value| vec![one(name, value)]))
            .collect();
    }
    names.iter().fold(vec![Choice::new()], |choices, (name, values)| {
        let extended = |choice: &Choice, value: &Arg| {
            let mut choice = choice.clone();
            choice.push(one(name, value));
            choice
        };
        choices
            .iter()
            .flat_map(|choice| values.iter().map(|value| extended(choice, value)).collect::<Vec<_>>())
            .collect()
    })
}
