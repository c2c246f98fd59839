//! The text of a `[[hook]]`.

use hookbox_model::{Limit, Role};

use super::{super::words, Entry, Switch, is_relative};
use crate::{
    Target, Tools,
    hook::{PythonSpec, ShellCommand, ShellSpec, WasmSpec, WebhookMethod, WebhookSpec},
};

/// A key and its value in TOML.
type Member = (String, String);

impl Entry {
    /// Returns the entry; `None` if its target cannot be expressed.
    pub(in crate::import) fn text(&self) -> Option<String> {
        let handler = self.handler()?;
        let mut members = vec![
            ("name".to_owned(), words::format_text(&self.name)),
            ("on".to_owned(), words::one_or_more(&self.on())),
        ];
        if self.spec.role == Role::Observe {
            members.push(("role".to_owned(), words::format_text("observe")));
        }
        members.extend(self.tool());
        members.push((
            "timeout".to_owned(),
            words::format_text(&format_duration(self.spec.limits.get(Limit::Timeout))),
        ));
        // An observer decides nothing, so its failure has no effect either.
        if self.spec.role != Role::Observe && self.events.iter().any(|(_, event)| event.traits().block) {
            let policy = self.spec.on_failure.map(|policy| words::format_text(policy.as_str()));
            members.extend(policy.map(|policy| ("on-failure".to_owned(), policy)));
        }
        if self.spec.once {
            members.push(("once".to_owned(), "true".to_owned()));
        }
        if self.switch == Switch::Off {
            members.push(("enabled".to_owned(), "false".to_owned()));
        }
        members.extend(self.settings());
        members.push(handler);
        let lines: Vec<_> = members.iter().map(|(key, value)| format!("{key} = {value}\n")).collect();
        Some(format!("[[hook]]\n{}", lines.concat()))
    }

    /// Returns the event names, each once: one event of the agent may be two canonical ones.
    fn on(&self) -> Vec<String> {
        let mut events: Vec<_> =
            self.events.iter().map(|(event, _)| format!("{}:{event}", self.agent)).collect();
        events.dedup();
        events
    }

    fn tool(&self) -> Option<Member> {
        let matcher = match self.tools()? {
            Tools::Any => return None,
            Tools::Names(names) => {
                let names: Vec<_> = names.iter().filter(|name| !name.is_empty()).cloned().collect();
                ("name", words::one_or_more(&names))
            }
            Tools::Glob(glob) => ("glob", words::format_text(glob)),
            Tools::Regex(regex) => ("regex", words::format_text(regex)),
        };
        Some(("tool".to_owned(), words::format_table(&[(matcher.0.to_owned(), matcher.1)])))
    }

    fn handler(&self) -> Option<Member> {
        if let Target::Wasm(WasmSpec { path, sha256: Some(_), .. }) = &self.spec.target {
            let plugin = words::format_text(&path.file_stem()?.to_string_lossy());
            return Some(("wasm".to_owned(), words::format_table(&[("plugin".to_owned(), plugin)])));
        }
        if !self.speaks {
            return None;
        }
        let (key, mut members) = match &self.spec.target {
            Target::Shell(shell) => ("shell", self.format_shell(shell)),
            Target::Webhook(webhook) => ("webhook", format_request(webhook)),
            Target::Python(python) => ("python", format_function(python)),
            // No agent's own file has another kind.
            _ => return None,
        };
        members.push(("speaks".to_owned(), words::format_text(self.agent)));
        Some((key.to_owned(), words::format_table(&members)))
    }

    fn format_shell(&self, shell: &ShellSpec) -> Vec<Member> {
        let line = |line: &str| format!("{}{line}", self.contract.stdin_redirect());
        let variables: Vec<_> =
            shell.variables.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let command = match &shell.command {
            ShellCommand::Line(command) if variables.is_empty() => {
                ("command".to_owned(), words::format_text(&line(command)))
            }
            // The configuration has no key for a variable with its value, so `env` sets the variables.
            ShellCommand::Line(command) => format_argv(
                variables,
                &[self.contract.shell().into(), "-c".into(), self.left_to_the_shell(&line(command))],
            ),
            ShellCommand::Argv(program) if is_relative(program) => format_argv(variables, program),
            ShellCommand::Argv(program) if variables.is_empty() => {
                ("argv".to_owned(), words::format_list(program.iter().map(String::as_str)))
            }
            ShellCommand::Argv(program) => format_argv(variables, program),
        };
        let folder =
            shell.cwd.as_ref().map(|cwd| ("cwd".to_owned(), words::format_text(&cwd.to_string_lossy())));
        std::iter::once(command).chain(folder).collect()
    }

    /// Returns the line with the placeholders that hookbox would expand in arguments rewritten for the shell.
    fn left_to_the_shell(&self, line: &str) -> String {
        let known = self.contract.placeholders();
        known.iter().fold(line.to_owned(), |line, known| {
            // hookbox expands the exact form `${NAME}` only; for a shell both forms mean the same.
            line.replace(&format!("${{{}}}", known.name), &format!("${{{}:-}}", known.name))
        })
    }

    /// Returns the settings of its entry, if it is a function that has some.
    fn settings(&self) -> Option<Member> {
        Some(("config".to_owned(), words::format_json(&self.function_settings()?)?))
    }
}

/// Returns the arguments with `env` in front of the program: it sets variables, and finds a relative program from the
/// folder in which the hook runs.
fn format_argv(variables: Vec<String>, program: &[String]) -> Member {
    let words = std::iter::once("env".to_owned()).chain(variables).chain(program.iter().cloned());
    ("argv".to_owned(), words::format_list(words.collect::<Vec<_>>().iter().map(String::as_str)))
}

fn format_function(python: &PythonSpec) -> Vec<Member> {
    let text = |text: &str| words::format_text(text);
    let mut members =
        vec![("module".to_owned(), text(&python.module)), ("function".to_owned(), text(&python.function))];
    if !python.path.is_empty() {
        members.push(("path".to_owned(), words::one_or_more(&python.path)));
    }
    members
}

fn format_request(webhook: &WebhookSpec) -> Vec<Member> {
    let WebhookSpec { url, method, headers, env, sign: _ } = webhook;
    let mut members = vec![("url".to_owned(), words::format_text(url))];
    if *method == WebhookMethod::Put {
        members.push(("method".to_owned(), words::format_text("PUT")));
    }
    if !headers.is_empty() {
        let headers: Vec<_> = headers
            .iter()
            .map(|(name, value)| (words::format_text(name), words::format_text(value)))
            .collect();
        members.push(("headers".to_owned(), words::format_table(&headers)));
    }
    if !env.is_empty() {
        members.push(("env".to_owned(), words::format_list(env.iter().map(String::as_str))));
    }
    members
}

fn format_duration(milliseconds: u64) -> String {
    match milliseconds % 1000 {
        0 => format!("{}s", milliseconds / 1000),
        _ => format!("{milliseconds}ms"),
    }
}
