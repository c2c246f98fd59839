//! Builtins that change what the shell knows.

use super::Walker;
use crate::{
    arg::{Arg, Stream, UNKNOWN},
    call::{Call, Grammar, Options},
    scope::Scope,
};

impl Walker<'_> {
    /// The effect of a builtin; gives its output if that differs from other commands'.
    pub(super) fn builtin(&mut self, call: &Call, scope: &mut Scope) -> Option<Stream> {
        match call.name() {
            "cd" | "pushd" | "popd" => change_folder(call, scope),
            "shopt" | "setopt" | "unsetopt" => match_dots(call, scope),
            "export" | "declare" | "typeset" | "local" | "readonly" => {
                self.declare(call, scope);
            }
            "unset" => call.args().iter().for_each(|name| scope.set(name.as_str(), Arg::default())),
            "set" => set(call.args(), scope),
            "shift" => shift(call.args(), scope),
            "read" | "mapfile" | "readarray" => read(call, scope),
            "getopts" => {
                if let Some(name) = call.args().get(1) {
                    scope.set(name.as_str(), Arg::unknown());
                }
            }
            "printf" => printf(call, scope),
            "hash" => hash(call.args(), scope),
            "alias" => self.alias(call, scope),
            "trap" => self.trap(call, scope),
            _ => {}
        }
        None
    }

    fn declare(&mut self, call: &Call, scope: &mut Scope) {
        let args = call.args();
        let option = |arg: &Arg| arg.as_str().starts_with('-');
        // `export -n` only keeps a variable to the shell.
        let refers =
            !call.is(&["export"]) && args.iter().any(|arg| option(arg) && arg.as_str().contains('n'));
        for arg in args {
            let Some((name, text)) = arg.as_str().split_once('=') else { continue };
            if refers && scope.refer(name, text) {
                continue;
            }
            if refers {
                // Two names of one variable: neither tells what it will hold.
                scope.set(name, Arg::unknown());
                scope.set(text, Arg::unknown());
                continue;
            }
            // It is over with the function; where that is, nobody looks.
            let is_local = !scope.running.is_empty() && !call.is(&["export", "readonly"]);
            if is_local && matches!(name, "HOME" | "PWD" | "OLDPWD") {
                continue;
            }
            let value = Arg { text: text.to_owned(), ..arg.clone() };
            self.give(name.trim_end_matches('+'), value, scope);
        }
    }

    fn trap(&mut self, call: &Call, scope: &mut Scope) {
        let Some((action, signals)) = call.args().split_first().filter(|(_, signals)| !signals.is_empty())
        else {
            return;
        };
        let text = action.plain();
        let mut child = scope.clone();
        self.nested(Some("trap"), |walker| walker.text(&text, &mut child, None));
        // Before each command that follows, unless the shell knows no such signal.
        if signals.iter().any(|signal| signal.as_str().eq_ignore_ascii_case("DEBUG")) {
            scope.merge(&child);
        }
    }

    fn alias(&mut self, call: &Call, scope: &mut Scope) {
        for arg in call.args() {
            if let Some((name, text)) = arg.plain().split_once('=') {
                scope.aliases.insert(name.to_owned(), text.to_owned());
                let mut child = scope.clone();
                child.aliases.remove(name);
                self.nested(Some("alias"), |walker| walker.text(text, &mut child, None));
            }
        }
    }
}

fn change_folder(call: &Call, scope: &mut Scope) {
    let option = |arg: &&Arg| arg.as_str().len() > 1 && arg.as_str().starts_with('-');
    let target = call.args().iter().find(|arg| !option(arg));
    // `pushd +1`
    let is_turn = |arg: &Arg| arg.as_str().trim_start_matches(['+', '-']).chars().all(|c| c.is_ascii_digit());
    let turns = || call.args().iter().any(|arg| arg.as_str().len() > 1 && is_turn(arg));
    let home = scope.get("HOME").filter(|home| !home.text.is_empty());
    let home = home.map_or_else(|| crate::arg::HOME.to_string(), |home| home.text);
    let stays = || call.has_arg("-n");
    match (call.name(), target.map(Arg::as_str)) {
        ("pushd", Some(target)) if stays() => scope.keep_folder(target),
        ("popd", None) if stays() => scope.forget_folder(),
        ("pushd" | "popd", _) if turns() => scope.lose_folders(),
        ("popd", _) => scope.pop_folder(),
        ("cd", Some("-")) => scope.go_back(),
        (_, Some("-")) => scope.lose_folders(),
        (name, Some(_)) if target.is_some_and(Arg::is_all_unknown) => {
            if name == "pushd" {
                scope.push_folder(Some("."));
            }
            scope.change_folder(None);
        }
        ("pushd", target) => scope.push_folder(target),
        (_, target) => scope.change_folder(Some(target.unwrap_or(&home))),
    }
}

/// `shopt -s dotglob`, `setopt globdots`
fn match_dots(call: &Call, scope: &mut Scope) {
    let is_meant = |arg: &Arg| {
        let name = arg.as_str().to_lowercase().replace('_', "");
        matches!(name.as_str(), "dotglob" | "globdots")
    };
    if call.args().iter().any(is_meant) {
        scope.matches_dots = match call.name() {
            "shopt" => call.has_arg("-s") || (scope.matches_dots && !call.has_arg("-u")),
            name => name == "setopt",
        };
    }
}

/// `hash -p path name` makes the name mean the path.
fn hash(args: &[Arg], scope: &mut Scope) {
    if let [flag, path, name] = args
        && flag.as_str() == "-p"
    {
        scope.aliases.insert(name.plain(), path.plain());
    }
}

/// `set -- words` replaces the positional parameters.
fn set(args: &[Arg], scope: &mut Scope) {
    scope.is_traced = traced(args).unwrap_or(scope.is_traced);
    for (at, arg) in args.iter().enumerate() {
        let Some(letters) = arg.as_str().strip_prefix(['-', '+']) else { break };
        let on = arg.as_str().starts_with('-');
        let name = args.get(at + 1).map_or("", Arg::as_str);
        if letters.contains('e') || (letters.ends_with('o') && name == "errexit") {
            scope.ends_at_failure = on;
        }
        if letters.contains('u') || (letters.ends_with('o') && name == "nounset") {
            scope.ends_at_unset = on;
        }
        if letters.starts_with('-') {
            break;
        }
    }
    let start = args.iter().position(|arg| arg.as_str() == "--").map(|at| at + 1);
    let start = start.or_else(|| args.iter().position(|arg| !arg.as_str().starts_with(['-', '+'])));
    if let Some(words) = start.and_then(|start| args.get(start..)) {
        scope.positional = Some(words.to_vec());
    }
}

/// Returns whether `set` switches tracing on or off; `None` if it does neither.
fn traced(args: &[Arg]) -> Option<bool> {
    let mut switched = None;
    let mut rest = args.iter();
    while let Some(arg) = rest.next() {
        let Some(letters) = arg.as_str().strip_prefix(['-', '+']) else { break };
        let name = if letters.ends_with('o') { rest.next().map_or("", Arg::as_str) } else { "" };
        if letters.contains(['x', 'v']) || matches!(name, "xtrace" | "verbose") {
            switched = Some(arg.as_str().starts_with('-'));
        }
    }
    switched
}

fn shift(args: &[Arg], scope: &mut Scope) {
    let count = args.first().map_or(Some(1), |arg| arg.as_str().parse::<usize>().ok());
    scope.positional = match (scope.positional.take(), count) {
        (Some(words), Some(count)) => Some(words.into_iter().skip(count).collect()),
        _ => None,
    };
}

/// Sets the variables of `read`: to one line of the text, if that is known.
fn read(call: &Call, scope: &mut Scope) {
    let short = if call.is(&["read"]) { "adinNptu" } else { "CcdnOsu" };
    let options = Options::parse(call.args(), Grammar { short, long: &[], anywhere: false });
    let other = options.value(&["u"]).and_then(|fd| scope.inputs.get(&fd.as_str().parse().ok()?)).cloned();
    let stdin = other.as_ref().unwrap_or(&call.stdin);
    let line = stdin.text.as_deref().and_then(|text| text.lines().next());
    let origin = &stdin.origin;
    let one = |text: &str| Arg { origin: origin.clone(), ..Arg::new(text) };
    // The last name gets the rest of the line.
    let count = options.operands.len().max(1);
    let mut parts = line.map(|line| line.trim().splitn(count, char::is_whitespace).map(str::trim));
    for name in &options.operands {
        let value = parts.as_mut().map(|parts| one(parts.next().unwrap_or_default()));
        scope.set(name.as_str(), value.unwrap_or_else(|| one(&UNKNOWN.to_string())));
    }
    let value = line.map_or_else(|| one(&UNKNOWN.to_string()), |line| one(line.trim()));
    if !call.is(&["read"]) && options.operands.is_empty() {
        scope.set("MAPFILE", value.clone());
    }
    let listed = |words: Vec<&str>| words.into_iter().map(|word| (None, one(word))).collect::<Vec<_>>();
    if let Some(name) = options.value(&["a"]) {
        scope.set(name.as_str(), value.clone());
        scope.set_elements(
            name.as_str(),
            listed(line.unwrap_or_default().split_whitespace().collect()),
            false,
        );
    }
    if !call.is(&["read"]) && call.touches {
        let name = options.operands.first().map_or("MAPFILE", Arg::as_str);
        scope.set_elements(name, listed(stdin.text.as_deref().unwrap_or_default().lines().collect()), false);
    }
    if options.operands.is_empty() {
        scope.set("REPLY", value);
    }
}

/// `printf -v name …` assigns instead of printing.
fn printf(call: &Call, scope: &mut Scope) {
    if let [flag, name, rest @ ..] = call.args()
        && flag.as_str() == "-v"
    {
        let mut words = vec![Arg::new("printf")];
        words.extend_from_slice(rest);
        let out = crate::output::of(&call.with_words(&words), scope);
        let text = out.text.unwrap_or_else(|| crate::arg::UNKNOWN.to_string());
        scope.set(name.as_str(), Arg { text, origin: out.origin, ..Arg::default() });
    }
}
