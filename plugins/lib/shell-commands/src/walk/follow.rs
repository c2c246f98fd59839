//! Commands that run other commands.

use super::{WRAPPER, Walker, environment, redirect::file_content};
use crate::{
    arg::{Arg, Origin, SET, Stream, UNKNOWN},
    budget,
    call::Call,
    output,
    packs::carried_elsewhere,
    rules::{self, Alias},
    scope::Scope,
    touched,
    wrapper::{self, Inner, STDIN, Wrapped},
};

/// The work that a call is, by estimate.
fn work(call: &Call) -> usize {
    let words = call.words.len().saturating_sub(1);
    let bytes: usize = call.words.iter().map(|word| word.text.len()).sum();
    let code = wrapper::code_bytes(call);
    budget::CALL + words * budget::WORD + bytes * budget::WORD_BYTE + code * budget::CODE_BYTE
}

impl Walker<'_> {
    /// Judges a command and everything that it would run; gives what it prints.
    pub(super) fn call(&mut self, call: &Call, scope: &mut Scope) -> Stream {
        self.record_call(call);
        // The commands that such an option stands for have the same variables, and would get it again.
        if self.has_options_of_variables {
            return self.call_as_it_is(call, scope);
        }
        let Some(call) = environment::with_options(call, scope) else {
            return self.call_as_it_is(call, scope);
        };
        self.has_options_of_variables = true;
        let out = self.call_as_it_is(&call, scope);
        self.has_options_of_variables = false;
        out
    }

    fn call_as_it_is(&mut self, call: &Call, scope: &mut Scope) -> Stream {
        self.calls += 1;
        if !self.spend(work(call)) {
            return Stream::default();
        }
        let Some(first) = call.words.first() else {
            return Stream::default();
        };
        if first.text.is_empty() {
            // Words that may be there or not look empty; then the next one is the command.
            let empty = call.words.iter().take_while(|word| word.text.is_empty()).count();
            let rest = call.with_words(call.words.get(empty..).unwrap_or_default());
            return self.call(&rest, scope);
        }
        if let Some(out) = self.defined(call, first, scope) {
            // The definition may not be what runs: it was made in a subshell, unset, or is an alias that a script does not heed.
            self.judge(&Call { is_guessed: true, ..call.clone() });
            return out;
        }
        self.judge(call);
        if self.touched.is_some()
            && let Some(secret) = rules::loads(call)
        {
            scope.loaded = Some(secret);
        }
        self.own_copy(call, first, scope);
        if let Some(what) = rules::unhooked(call, scope) {
            self.report("agent-config", call, &what);
        }
        if first.guessed {
            self.unknown_program(call, first, scope);
        }
        self.subscripts(call, scope);
        if call.name().is_empty() {
            self.unnamed(call, first, scope);
            return Stream::default();
        }
        for text in wrapper::carried(call) {
            self.handed(&text, call, scope);
        }
        for text in rules_of_make(call, scope) {
            self.handed(&text, call, scope);
        }
        if wrapper::is_unread(call) {
            self.report("unparsable", call, "runs code of PowerShell or cmd, which is not read");
        }
        self.elsewhere(call, scope);
        self.file_as_script(call, first, scope);
        let mut out = match wrapper::unwrap(call) {
            Some(wrapped) => {
                let mut out = self.wrapped(call, &wrapped, scope);
                out.origin.printed |= call.is(&["ssh"]);
                out
            }
            None => output::of(call, scope),
        };
        if let Some(made) = output::made_folder(call, scope, self.calls) {
            out = made;
        }
        if let Some(printed) = self.builtin(call, scope) {
            out = printed;
        }
        out
    }

    /// Text that a command may run.
    fn handed(&mut self, text: &str, call: &Call, scope: &Scope) {
        // A filter of tests is a text, too.
        let is_handed = std::mem::replace(&mut self.is_handed, !call.is(&["cargo"]));
        self.deeper(WRAPPER, Some(call.name()), |walker| walker.suspect_command(text, scope));
        self.is_handed = is_handed;
    }

    /// The commands that this one runs in a container or on another machine.
    fn elsewhere(&mut self, call: &Call, scope: &Scope) {
        for words in carried_elsewhere(call) {
            let here = std::mem::replace(&mut self.is_elsewhere, true);
            let folder = self.touched.as_ref().and_then(|_| rules::folder_inside(call));
            let volumes = self.volumes_of(call);
            let outer = std::mem::replace(&mut self.volumes, volumes);
            let assignments = Vec::new();
            let inside =
                Call { cwd: folder.clone(), workspace: None, assignments, ..call.with_words(&words) };
            let mut there = Scope { cwd: folder, ..scope.clone() };
            self.deeper(WRAPPER, Some(call.name()), |walker| walker.call(&inside, &mut there));
            self.volumes = outer;
            self.is_elsewhere = here;
        }
    }

    /// The folders that a container is given, by their full names.
    fn volumes_of(&self, call: &Call) -> Vec<Alias> {
        if self.touched.is_none() {
            return Vec::new();
        }
        touched::full_aliases(&rules::volumes(call), call)
    }

    /// A file that was made from hookbox's program is that program, whatever it is called.
    fn own_copy(&mut self, call: &Call, first: &Arg, scope: &Scope) {
        let Some(name) = first.base_name().filter(|_| !first.is_own_program()) else { return };
        let is_copy = |(path, content): (&String, &Stream)| {
            content.origin.own_program
                && path.rsplit('/').next().is_some_and(|own| own.to_lowercase() == name)
        };
        if scope.files.iter().any(is_copy) {
            let mut words = call.words.clone();
            words.splice(..1, [Arg::new("hookbox")]);
            self.judge(&call.with_words(&words));
        }
    }

    /// Builtins evaluate subscripts, and what a subscript substitutes runs, even out of single quotes.
    fn subscripts(&mut self, call: &Call, scope: &Scope) {
        // A bracket may be a mark of a pattern by now.
        let brackets = call.words.iter().filter(|word| word.text.contains(['[', SET]));
        for word in brackets {
            self.subscript(&word.plain(), scope);
        }
    }

    pub(super) fn subscript(&mut self, text: &str, scope: &Scope) {
        if text.contains("[$(") || text.contains("[`") {
            let is_guess = self.set_guess(true);
            let probably_data = std::mem::replace(&mut self.probably_data, true);
            self.document(text, &mut scope.clone());
            self.probably_data = probably_data;
            self.restore_guess(is_guess);
        }
    }

    /// A command whose name is not known.
    fn unnamed(&mut self, call: &Call, first: &Arg, scope: &mut Scope) {
        if first.origin.is_unseen() || self.unseen_parts {
            self.report("pipe-to-shell", call, "runs code that the command line does not show");
        } else if first.literal().is_some_and(|name| name.ends_with('/')) {
            // A folder is no program. Some shells go there.
            let mut moved = scope.clone();
            moved.change_folder(first.literal());
            scope.merge(&moved);
        } else {
            self.unknown_program(call, first, scope);
        }
    }

    /// A function or an alias of this command line.
    fn defined(&mut self, call: &Call, first: &Arg, scope: &mut Scope) -> Option<Stream> {
        let name = first.literal()?.to_owned();
        if let Some(text) = scope.aliases.get(&name).cloned() {
            // An alias may use its own name for the command that it stands for.
            let mut inner = scope.clone();
            inner.aliases.remove(&name);
            let rest: Vec<String> = call.args().iter().map(Arg::plain).collect();
            let text = format!("{text} {}", rest.join(" "));
            let out = self.nested(Some("alias"), |walker| walker.text(&text, &mut inner, Some(&call.stdin)));
            inner.aliases.clone_from(&scope.aliases);
            // A shell that is no terminal's expands it only if it is told so.
            scope.merge(&inner);
            return Some(out);
        }
        let body = scope.functions.get(&name).cloned()?;
        if scope.running.contains(&name) {
            if self.is_concurrent {
                self.report("fork-bomb", call, "starts itself again and again");
                return Some(Stream::default());
            }
            // `command rm` in a function of that name is the program.
            return None;
        }
        let outer = scope.positional.replace(call.args().to_vec());
        scope.running.push(name);
        let was_concurrent = std::mem::replace(&mut self.is_concurrent, false);
        let stdin = call.has_stdin.then_some(&call.stdin);
        let out = self.nested(None, |walker| walker.redirected(&body.0, body.1.as_ref(), scope, stdin));
        self.is_concurrent = was_concurrent;
        scope.running.pop();
        scope.positional = outer;
        Some(out)
    }

    /// Running a file that this command line has downloaded or written.
    fn file_as_script(&mut self, call: &Call, first: &Arg, scope: &mut Scope) {
        let path = first.literal().filter(|path| path.contains('/'));
        if let Some(stream) = path.and_then(|path| scope.file(path)).cloned() {
            self.record_script(&stream, call, Some(first));
            self.script(call, &stream, &mut scope.clone());
        }
    }

    fn wrapped(&mut self, call: &Call, wrapped: &Wrapped, scope: &mut Scope) -> Stream {
        if self.leads_away(call) && !self.is_elsewhere {
            self.is_elsewhere = true;
            let out = self.wrapped(call, wrapped, &mut Scope::new(""));
            self.is_elsewhere = false;
            return out;
        }
        let with_variables = self.is_recorded().then(|| with_assignments(call, wrapped));
        let call = with_variables.as_ref().unwrap_or(call);
        let mut child = scope.clone();
        let inner_scope = if wrapped.same_process { scope } else { &mut child };
        if let Some(folder) = &wrapped.folder {
            inner_scope.change_folder((!folder.text.contains(UNKNOWN)).then_some(folder.as_str()));
        }
        inner_scope.is_traced |= wrapped.is_traced;
        let options = call.args().iter().zip(call.args().iter().skip(1));
        inner_scope.matches_dots |= wrapper::is_shell(call.name())
            && options
                .map(|(option, name)| (option.as_str(), name.as_str()))
                .any(|pair| pair == ("-O", "dotglob"));
        for (name, value) in &wrapped.variables {
            self.give(name, value.clone(), inner_scope);
        }
        let mut out = Stream::of("");
        for inner in &wrapped.inner {
            let label = wrapped.label.clone();
            out.append(&self.deeper(WRAPPER, Some(&label), |walker| walker.inner(call, inner, inner_scope)));
        }
        out
    }

    fn inner(&mut self, call: &Call, inner: &Inner, scope: &mut Scope) -> Stream {
        match inner {
            Inner::Words(words) => {
                let mut inner = call.with_words(words);
                inner.cwd.clone_from(&scope.cwd);
                inner.strayed = scope.strayed;
                inner.is_traced = scope.is_traced;
                inner.loaded.clone_from(&scope.loaded);
                self.call(&inner, scope)
            }
            Inner::Script { text, zero, positional } => {
                if let Some(positional) = positional {
                    scope.positional = Some(positional.clone());
                    scope.zero.clone_from(zero);
                }
                self.script_text(call, text, scope)
            }
            Inner::Stdin { positional } => {
                if !call.has_stdin {
                    return Stream::default();
                }
                self.record_script(&call.stdin, call, None);
                // What `ssh` reads runs elsewhere, if it is code at all.
                if call.stdin.file.is_none() && !call.is(&["ssh"]) {
                    self.printed_code(call, &call.stdin);
                }
                scope.positional = Some(positional.clone());
                self.script(call, &call.stdin, scope)
            }
            Inner::File { path, positional } => {
                if let Some(positional) = positional {
                    scope.positional = Some(positional.clone());
                }
                let content = opened(path, call, scope);
                if path.stream.is_some() {
                    self.printed_code(call, &content);
                }
                self.record_script(&content, call, Some(path));
                self.script(call, &content, scope)
            }
            Inner::Foreign(path) => {
                let content =
                    path.as_ref().map_or_else(|| call.stdin.clone(), |path| opened(path, call, scope));
                // Text that the command line shows is another language's: not judged.
                self.script(call, &Stream::from_origin(content.origin), scope)
            }
        }
    }

    /// Code that a program prints, so that the command line does not show it: `sed -n p file | sh`.
    fn printed_code(&mut self, call: &Call, content: &Stream) {
        let origin = &content.origin;
        // A program that only a variable names may be a pager as well.
        if call.is_guessed {
            return;
        }
        if content.text.is_none() && origin.printed && !origin.made_for_eval && !origin.is_unseen() {
            self.unknown_command(&call.words);
        }
    }

    /// The text of a script, given as an argument.
    fn script_text(&mut self, call: &Call, text: &Arg, scope: &mut Scope) -> Stream {
        if text.is_made_for_eval() && !self.unseen_parts {
            self.record_code(call);
            return Stream::default();
        }
        if text.is_all_unknown() {
            self.record_code(call);
            let text = Arg { from_outside: false, ..text.clone() };
            self.unnamed(call, &text, scope);
            return Stream::default();
        }
        let stdin = call.has_stdin.then_some(&call.stdin);
        self.visible(&text.text, &text.origin, scope, stdin)
    }

    /// The content of a stream or file, run as a script.
    fn script(&mut self, call: &Call, content: &Stream, scope: &mut Scope) -> Stream {
        match &content.text {
            Some(text) if !Arg::new(text.clone()).is_all_unknown() => {
                return self.visible(text, &content.origin, scope, None);
            }
            _ if content.origin.network => {
                self.report("pipe-to-shell", call, "runs what was just downloaded");
            }
            _ if content.origin.decoded => {
                self.report("pipe-to-shell", call, "runs code that was decoded on the way");
            }
            Some(_) => self.unknown_command(&call.words),
            None => {}
        }
        Stream::default()
    }

    /// A script of which at least something can be seen.
    fn visible(&mut self, text: &str, origin: &Origin, scope: &mut Scope, stdin: Option<&Stream>) -> Stream {
        self.record_open_script(text);
        let outer = std::mem::replace(&mut self.unseen_parts, origin.is_unseen());
        let text = text.replace('\0', "");
        let out = self.nested(None, |walker| walker.text(&text, scope, stdin));
        self.unseen_parts = outer;
        out
    }
}

/// The commands of the rules that the command line has written for `make`.
fn rules_of_make(call: &Call, scope: &Scope) -> Vec<String> {
    let files = wrapper::rule_files(call);
    let texts = files.iter().filter_map(|file| scope.file(file)?.text.as_ref());
    texts.flat_map(|text| wrapper::recipes(text)).collect()
}

/// Returns the command with the variables that a wrapper sets. One without a value was unset.
fn with_assignments(call: &Call, wrapped: &Wrapped) -> Call {
    let given = wrapped.variables.iter().filter(|(_, value)| !value.text.is_empty());
    Call { assignments: given.cloned().collect(), ..call.clone() }
}

/// Returns the content that a command reads from a file.
fn opened(path: &Arg, call: &Call, scope: &Scope) -> Stream {
    if STDIN.contains(&path.as_str()) { call.stdin.clone() } else { file_content(path, scope) }
}
