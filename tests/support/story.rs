//! Pages for readers, made of the real output of commands. Text that differs between runs is replaced by names.

use std::{
    fs::File,
    io::Write as _,
    path::{Path, PathBuf},
    process::Stdio,
};

use nix::pty::openpty;

use crate::testbed::TestBed;

/// Ends a question.
const QUESTION: &str = "[y/N] ";

/// A user with a home folder, where their commands are run.
pub(crate) struct Person {
    pub(crate) bed: TestBed,
    name: &'static str,
}

/// The page.
pub(crate) struct Story {
    page: String,
    /// Placeholders for texts that differ in each run.
    names: Vec<(String, String)>,
}

impl Person {
    pub(crate) fn new(name: &'static str) -> Self {
        Self { bed: TestBed::new(), name }
    }

    pub(crate) fn join_path(&self, name: &str) -> PathBuf {
        self.bed.resolve_path("[PROJECT]").join(name)
    }

    /// Runs a line in a shell, with these replies to questions; returns its output in order.
    fn run(&self, line: &str, replies: &[&str]) -> (i32, String) {
        let programs = self.bed.program().parent().unwrap().display();
        let mut command = self.bed.command_of(Path::new("/bin/sh"), &["-c", &format!("{{ {line}\n}} 2>&1")]);
        command.env("PATH", format!("{programs}:/usr/bin:/bin"));
        let terminal = openpty(None, None).unwrap();
        let text = [replies.join("\n").as_str(), "\n"].concat();
        File::from(terminal.master.try_clone().unwrap()).write_all(text.as_bytes()).unwrap();
        command.stdin(if replies.is_empty() { Stdio::null() } else { Stdio::from(terminal.slave) });
        let ran = self.bed.wait_for(command.spawn().unwrap());
        let mut said = String::new();
        for (number, part) in ran.stdout.split(QUESTION).enumerate() {
            if number > 0 {
                said += &[QUESTION, replies[number - 1], "\n"].concat();
            }
            said += part;
        }
        (ran.code, said)
    }
}

impl Story {
    pub(crate) fn new(beginning: &str) -> Self {
        Self { page: beginning.to_owned(), names: Vec::new() }
    }

    /// Replaces this text by the name from now on.
    pub(crate) fn name_text(&mut self, text: impl Into<String>, name: impl Into<String>) {
        self.names.push((text.into(), name.into()));
    }

    pub(crate) fn write_heading(&mut self, text: &str) {
        self.page += &["\n## ", text, "\n"].concat();
    }

    pub(crate) fn write_paragraph(&mut self, text: &str) {
        self.page += &["\n", &wrap_text(text), "\n"].concat();
    }

    /// Runs a user's command, which must succeed.
    pub(crate) fn run_command(&mut self, who: &Person, line: &str) -> String {
        self.run_to_code(who, line, &[], 0)
    }

    /// Runs a user's command, which must exit with this code.
    pub(crate) fn run_to_code(&mut self, who: &Person, line: &str, replies: &[&str], code: i32) -> String {
        let (ended, said) = who.run(line, replies);
        assert_eq!(ended, code, "{line}\n{said}");
        // Another test may have compiled this plugin already.
        let said: String =
            said.split_inclusive('\n').filter(|line| !line.starts_with("compiling ")).collect();
        let said = self.mask_text(who, &said);
        let end = if code == 0 { String::new() } else { format!("(exit code {code})\n") };
        let line = self.mask_text(who, line);
        let block = format!("\n```console\n{}$ {line}\n{said}{end}```\n", who.name);
        self.page += &block;
        said
    }

    /// Replaces texts that differ between runs by names.
    fn mask_text(&mut self, who: &Person, text: &str) -> String {
        let home = format!("/home/{}", who.name);
        let mut text = text.replace("[PROJECT]", &home).replace("[HOME]", &home);
        for (differs, name) in &self.names {
            text = text.replace(differs.as_str(), name);
        }
        let words = split_text(&text, |c| c.is_ascii_alphanumeric() || ":-".contains(c));
        let mut shown = String::new();
        for (at, word) in words.iter().enumerate() {
            let is_size = words.get(at + 1).is_some_and(|next| *next == " ")
                && words.get(at + 2).is_some_and(|next| *next == "bytes");
            let digits = word.strip_prefix("sha256:").unwrap_or(word);
            match word.len() {
                _ if is_size || shown.ends_with("\nsize = ") => shown += "N",
                _ if digits.len() == 64 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                    let name = format!(
                        "[digest {}]",
                        self.names.iter().filter(|(_, name)| name.starts_with("[digest ")).count() + 1
                    );
                    self.names.push((digits.to_owned(), name.clone()));
                    shown += &word.replace(digits, &name);
                }
                20 if word.ends_with('Z') && word.starts_with("20") => shown += "[TIME]",
                _ => shown += word,
            }
            // A text that has just been named may occur again.
            if shown.contains("[digest ") {
                for (differs, name) in &self.names {
                    shown = shown.replace(differs.as_str(), name);
                }
            }
        }
        shown
    }

    /// Compares the page with the checked-in one. With `HOOKBOX_BLESS` in the environment the page is written.
    pub(crate) fn is_at(&self, page: &str) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
        if std::env::var_os("HOOKBOX_BLESS").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, &self.page).unwrap();
            return;
        }
        let there = std::fs::read_to_string(&path).unwrap_or_default();
        let differs = self.page.lines().zip(there.lines()).find(|(now, before)| now != before);
        assert!(
            self.page == there,
            "{page} is not what hookbox says now, first here: {differs:?}; read what changed, and write it anew with HOOKBOX_BLESS=1"
        );
    }
}

/// Wraps a text into lines that are not too long.
fn wrap_text(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().unwrap();
        if line.is_empty() || line.len() + word.len() < 140 {
            *line += if line.is_empty() { "" } else { " " };
            *line += word;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines.join("\n")
}

/// Splits a text into words and the separators between them.
fn split_text(text: &str, is_of_word: impl Fn(char) -> bool) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let of_word = is_of_word(first);
        let end = rest.find(|c| is_of_word(c) != of_word).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        parts.push(part);
        rest = after;
    }
    parts
}
