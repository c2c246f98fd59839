//! Redirections and process substitutions: where a command's bytes come from and go to.

use brush_parser::ast::{
    CompoundList, IoFileRedirectKind, IoFileRedirectTarget, IoRedirect, ProcessSubstitutionKind,
    SubshellCommand,
};

use super::Walker;
use crate::{
    arg::{Arg, ENVIRONMENT, Origin, Stream, is_network},
    budget,
    scope::Scope,
    secret::is_secret,
};

/// Input and outputs of a command.
#[derive(Default)]
pub(super) struct Channels {
    /// Standard input, if it is known or piped.
    pub(super) stdin: Option<Stream>,
    /// The files that it writes.
    pub(super) writes: Vec<Arg>,
    /// The files that it reads from its standard input.
    pub(super) reads: Vec<Arg>,
    /// The file that its output goes to, and whether it is added at the end.
    output: Option<(String, bool)>,
    /// True if the output does not go to the caller.
    captured: bool,
}

impl Channels {
    /// Opens a descriptor for reading.
    fn read(&mut self, fd: Option<i32>, content: Stream, scope: &mut Scope) {
        match fd {
            None | Some(0) => self.stdin = Some(content),
            Some(fd) => drop(scope.inputs.insert(fd, content)),
        }
    }

    /// Feeds it a text. One that has the content of a file is as good as the file.
    fn read_text(&mut self, fd: Option<i32>, body: &Arg, scope: &mut Scope) {
        let secret = body.origin.secret.as_ref().filter(|_| matches!(fd, None | Some(0)));
        self.reads.extend(secret.filter(|path| *path != ENVIRONMENT).map(Arg::new));
        self.read(fd, content(body), scope);
    }

    /// The file that its output goes to.
    pub(super) fn output(&self) -> Option<String> {
        self.output.as_ref().map(|(path, _)| path.clone())
    }

    /// Returns true if the output is discarded.
    pub(super) fn is_dropped(&self) -> bool {
        self.output.as_ref().is_some_and(|(path, _)| path == "/dev/null")
    }

    /// Returns the output that is left for the next command in the pipe.
    pub(super) fn deliver(&self, out: Stream, scope: &mut Scope) -> Stream {
        if let Some((path, append)) = &self.output {
            scope.write_file(path, &out, *append);
        }
        if self.captured { Stream::of("") } else { out }
    }
}

impl Walker<'_> {
    pub(super) fn process_substitution(
        &mut self,
        kind: &ProcessSubstitutionKind,
        subshell: &SubshellCommand,
        scope: &mut Scope,
    ) -> Arg {
        match kind {
            ProcessSubstitutionKind::Read => {
                let out = self.run_concurrently("<(…)", &subshell.list, scope, None);
                Arg { origin: out.origin.clone(), stream: Some(Box::new(out)), ..Arg::unknown() }
            }
            ProcessSubstitutionKind::Write => {
                self.sinks.push(subshell.list.clone());
                Arg::unknown()
            }
        }
    }

    /// Runs the `>(…)` of a command, which read the command's output.
    pub(super) fn feed(&mut self, outer: Vec<CompoundList>, out: &Stream, scope: &mut Scope) {
        for list in std::mem::replace(&mut self.sinks, outer) {
            self.run_concurrently(">(…)", &list, scope, Some(out));
        }
    }

    fn run_concurrently(
        &mut self,
        label: &str,
        list: &CompoundList,
        scope: &mut Scope,
        stdin: Option<&Stream>,
    ) -> Stream {
        let mut child = scope.clone();
        let was_concurrent = std::mem::replace(&mut self.is_concurrent, true);
        let out = self.nested(Some(label), |walker| walker.list(list, &mut child, stdin));
        self.is_concurrent = was_concurrent;
        scope.adopt(&child);
        out
    }

    pub(super) fn redirects<'r>(
        &mut self,
        redirects: impl Iterator<Item = &'r IoRedirect>,
        scope: &mut Scope,
        stdin: Option<&Stream>,
    ) -> Channels {
        let mut channels = Channels { stdin: stdin.cloned(), ..Channels::default() };
        for redirect in redirects {
            if !self.spend(budget::REDIRECT) {
                break;
            }
            match redirect {
                IoRedirect::File(fd, kind, target) => {
                    self.redirect_file(*fd, kind, target, scope, &mut channels);
                }
                IoRedirect::HereDocument(fd, document) => {
                    let text = document.doc.value.as_str();
                    let body =
                        if document.requires_expansion { self.document(text, scope) } else { Arg::new(text) };
                    channels.read_text(*fd, &body, scope);
                }
                IoRedirect::HereString(fd, word) => {
                    let mut body = self.single(&word.value, scope);
                    body.text.push('\n');
                    channels.read_text(*fd, &body, scope);
                }
                IoRedirect::OutputAndError(word, append) => {
                    let target = self.target(&word.value, scope);
                    scope.open(&[1, 2], &target);
                    write(&mut channels, target, *append, true);
                }
            }
        }
        channels
    }

    fn redirect_file(
        &mut self,
        fd: Option<i32>,
        kind: &IoFileRedirectKind,
        target: &IoFileRedirectTarget,
        scope: &mut Scope,
        channels: &mut Channels,
    ) {
        let target = match target {
            IoFileRedirectTarget::Filename(word) | IoFileRedirectTarget::Duplicate(word) => {
                self.target(&word.value, scope)
            }
            IoFileRedirectTarget::ProcessSubstitution(side, subshell) => {
                self.process_substitution(side, subshell, scope)
            }
            IoFileRedirectTarget::Fd(number) => Arg::new(number.to_string()),
        };
        let reads = matches!(
            kind,
            IoFileRedirectKind::Read | IoFileRedirectKind::ReadAndWrite | IoFileRedirectKind::DuplicateInput
        );
        let fd = fd.unwrap_or(i32::from(!reads));
        let copies = matches!(kind, IoFileRedirectKind::DuplicateInput | IoFileRedirectKind::DuplicateOutput);
        if copies && is_descriptor(target.as_str()) {
            return duplicate(fd, target.as_str(), scope, channels);
        }
        scope.open(&[fd], &target);
        if fd == 0 || reads {
            let file = target.stream.is_none().then(|| target.text.clone());
            channels.read(Some(fd), Stream { file, ..file_content(&target, scope) }, scope);
            if fd == 0 && target.stream.is_none() {
                channels.reads.push(target.clone());
            }
        }
        if !matches!(kind, IoFileRedirectKind::Read | IoFileRedirectKind::DuplicateInput) {
            let append = matches!(kind, IoFileRedirectKind::Append);
            write(channels, target, append, fd == 1);
        }
    }

    /// A file name: one word, whatever its value contains.
    fn target(&mut self, text: &str, scope: &mut Scope) -> Arg {
        match self.fields(text, scope).as_slice() {
            [one] => one.clone(),
            _ => Arg::unknown(),
        }
    }
}

/// `0>&1`: what is connected to the network stays so under another number.
fn duplicate(fd: i32, from: &str, scope: &mut Scope, channels: &mut Channels) {
    let input =
        from.trim_end_matches('-').parse().ok().and_then(|from: i32| scope.inputs.get(&from).cloned());
    match input {
        Some(input) if fd == 0 => {
            channels.reads.extend(input.file.as_ref().map(Arg::new));
            channels.stdin = Some(input);
        }
        Some(input) => drop(scope.inputs.insert(fd, input)),
        None => {}
    }
    if !from.parse().is_ok_and(|from| scope.sockets.contains(&from)) {
        return;
    }
    scope.sockets.insert(fd);
    if fd == 1 || fd == 2 {
        channels.writes.push(Arg::new(SOCKET));
    }
    if fd == 0 {
        channels.stdin = Some(downloaded());
    }
}

/// Name of the target of a descriptor that is connected to the network.
const SOCKET: &str = "/dev/tcp/-";

fn downloaded() -> Stream {
    Stream::from_origin(Origin { network: true, ..Origin::default() })
}

fn write(channels: &mut Channels, target: Arg, append: bool, is_output: bool) {
    if is_output {
        channels.captured = true;
        channels.output = target.literal().map(|path| (path.to_owned(), append));
    }
    channels.writes.push(target);
}

/// `2>&1`, `>&-`.
fn is_descriptor(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c == '-')
}

/// Returns the content of a word that is passed as input to a command. Unknown parts stay marked in the text.
fn content(body: &Arg) -> Stream {
    Stream { text: Some(body.plain()), origin: body.origin.clone(), file: None }
}

/// Folders whose files are what the descriptors of that number are.
pub(super) const DESCRIPTORS: &[&str] = &["/dev/fd/", "/proc/self/fd/"];

/// Returns the content of a file.
pub(super) fn file_content(target: &Arg, scope: &Scope) -> Stream {
    if let Some(stream) = &target.stream {
        return stream.as_ref().clone();
    }
    if is_network(target.as_str()) {
        return downloaded();
    }
    if let Some(stream) = target.literal().and_then(|path| scope.file(path)) {
        return stream.clone();
    }
    let descriptor = DESCRIPTORS.iter().find_map(|folder| target.as_str().strip_prefix(folder));
    if let Some(stream) = descriptor.and_then(|fd| scope.inputs.get(&fd.parse().ok()?)) {
        return stream.clone();
    }
    let secret = is_secret(target.as_str()).then(|| target.plain());
    Stream::from_origin(Origin { secret, ..target.origin.clone() })
}
