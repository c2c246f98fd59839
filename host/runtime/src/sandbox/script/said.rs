//! What the engine says of a script, in our words.

use super::excerpt::{Place, told};

/// What the engine calls the script.
const SCRIPT: &str = "componentize-qjs:shim.js:";

/// What is before an error's own words.
const ERROR: &str = ": Error: ";

/// What is wrong with the script of this name, by what the engine `said`; its first line was `shift` characters longer there.
pub(super) fn of(name: &str, source: &str, said: &str, shift: usize) -> String {
    let said = said.split_once(ERROR).map_or(said, |(_, said)| said);
    let (what, stack) = said.split_once("\n    at ").unwrap_or((said, ""));
    let what = what.trim();
    if let Some(module) = between(what, "Error resolving module '", "' from ") {
        return no_module(name, source, module);
    }
    let what = match between(what, "Could not find export '", "' in module 'hookbox'") {
        Some(export) => format!(
            "the module \"hookbox\" has no `{export}` (a type is imported by `import type {{ {export} }}`)"
        ),
        None => what.to_owned(),
    };
    match place(stack, shift) {
        Some(place) => told(name, source, place, &what),
        None => format!("{name}: {what}"),
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    Some(text.split_once(before)?.1.split_once(after)?.0)
}

/// The engine does not tell where it was imported; it is the first line that could be it.
fn no_module(name: &str, source: &str, module: &str) -> String {
    let quoted = [format!("\"{module}\""), format!("'{module}'")];
    let imports = |line: &str| {
        let words = ["import", "export", "from"].iter().any(|word| line.contains(word));
        words && quoted.iter().any(|quoted| line.contains(quoted))
    };
    let line = source.lines().position(imports).map(|at| format!(":{}", at + 1)).unwrap_or_default();
    format!("{name}{line}: import {module:?}: a hook is one file; it may import \"hookbox\" alone")
}

/// The innermost place in the script.
fn place(stack: &str, shift: usize) -> Option<Place> {
    let (_, at) = stack.split_once(SCRIPT)?;
    let mut numbers = at.split(|c: char| !c.is_ascii_digit()).map_while(|digits| digits.parse().ok());
    let (line, column): (usize, usize) = (numbers.next()?, numbers.next()?);
    let shift = if line == 1 { shift } else { 0 };
    Some(Place { line, column: column.saturating_sub(shift).max(1) })
}
