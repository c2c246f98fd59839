//! A permission rule as the condition of a hook (`if`): `Bash(git push *)`, `Edit(*.ts)`, `mcp__github`.
//!
//! A hook that should run and does not is a bypassed guard, so a call that cannot be judged counts as a match.

mod bash;
mod path;

use hookbox_model::{Event, ToolCall};

/// The events at which rules are looked at; at others a hook that has one never runs.
pub(super) const TOOL_EVENTS: [&str; 5] =
    ["PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"];

/// Longest rule, bytes.
const MAX_BYTES: usize = 1024;

/// Tools whose rules match files.
const FILE_TOOLS: [&str; 9] =
    ["Edit", "MultiEdit", "Write", "Read", "NotebookEdit", "NotebookRead", "Glob", "Grep", "LS"];

#[derive(Debug)]
pub(super) struct Rule {
    tool: String,
    /// Text in the parentheses, unless it matches everything.
    content: Option<String>,
}

impl Rule {
    /// Parses a rule; the error is the reason why `text` is not a rule.
    pub(super) fn parse(text: &str) -> Result<Self, &'static str> {
        // A hook file may be a project's, and matching takes time for each `*` of the rule.
        if text.len() > MAX_BYTES {
            return Err("it is longer than 1024 bytes");
        }
        let text = text.trim();
        let (tool, content) = match text.split_once('(') {
            None => (text, None),
            Some((tool, rest)) => {
                (tool, Some(rest.strip_suffix(')').ok_or("its `(` is not closed at the end")?))
            }
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-*:.".contains(c);
        if tool.is_empty() || !tool.chars().all(is_name) {
            return Err("it does not begin with the name of a tool");
        }
        let content = content.map(str::trim).filter(|content| !["", "*"].contains(content));
        Ok(Self { tool: tool.to_owned(), content: content.map(str::to_owned) })
    }

    /// Returns true if the rule's content is compared with a call's arguments. Otherwise the rule matches every call of its tool.
    pub(super) fn is_judged(&self) -> bool {
        let tool = self.tool.as_str();
        self.content.is_none()
            || ["Bash", "WebFetch", "Agent", "Task"].contains(&tool)
            || FILE_TOOLS.contains(&tool)
    }

    /// Returns true if the rule matches the call of this event.
    pub(super) fn matches_event(&self, event: &Event) -> bool {
        let Some(tool) = &event.tool else { return true };
        self.means_tool(&tool.name)
            && self.content.as_ref().is_none_or(|content| means_call(content, tool, &event.cwd))
    }

    fn means_tool(&self, name: &str) -> bool {
        // An older name of the same tool.
        let same = |name: &str| if name == "Task" { "Agent".to_owned() } else { name.to_owned() };
        // `mcp__github` stands for all tools of that server.
        let of_server = || self.tool.starts_with("mcp__") && name.starts_with(&format!("{}__", self.tool));
        same(&self.tool) == same(name) || of_server() || super::wildcard::matches_text(&self.tool, name)
    }
}

fn means_call(content: &str, tool: &ToolCall, cwd: &str) -> bool {
    let text = |keys: &[&str]| {
        let input = tool.input.members().unwrap_or_default();
        keys.iter().find_map(|key| input.get_string(key))
    };
    match tool.name.as_str() {
        // A call without the member cannot be judged, so the hook runs.
        "Bash" => text(&["command"]).is_none_or(|command| bash::matches_line(content, &command)),
        "WebFetch" => text(&["url"]).is_none_or(|url| means_site(content, &url)),
        "Agent" | "Task" => text(&["subagent_type"]).is_none_or(|name| name == content),
        name if FILE_TOOLS.contains(&name) => {
            let file = text(&["file_path", "notebook_path", "path"]);
            file.is_none_or(|file| path::matches_file(content, &file, cwd))
        }
        _ => true,
    }
}

/// Matches `domain:example.com`: exactly this host.
fn means_site(content: &str, url: &str) -> bool {
    let Some(domain) = content.strip_prefix("domain:") else { return true };
    let Some((_, rest)) = url.split_once("://") else { return true };
    // Browsers read `\` as `/`, so `https://a.example\@b.example` leads to the first host.
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    // The text before `@` is a user name, which an attacker could choose to look like the permitted host.
    let host = authority.rsplit('@').next().unwrap_or_default().split(':').next().unwrap_or_default();
    super::wildcard::matches_text(&domain.to_ascii_lowercase(), &host.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use hookbox_model::Json;

    use super::*;

    fn rule_matches(rule: &str, tool: &str, input: &str) -> bool {
        let rule = Rule::parse(rule).unwrap();
        let tool = ToolCall {
            name: tool.to_owned(),
            class: hookbox_model::ToolClass::Other,
            command: None,
            paths: Vec::new(),
            input: Json::parse(input).unwrap(),
            output: None,
        };
        let content = rule.content.clone();
        rule.means_tool(&tool.name)
            && content.is_none_or(|content| means_call(&content, &tool, "/code/project"))
    }

    fn command_matches(rule: &str, command: &str) -> bool {
        rule_matches(rule, "Bash", &serde_json::json!({ "command": command }).to_string())
    }

    /// The first seven lines are the documentation's own.
    #[test]
    fn a_rule_for_commands_has_its_documented_meaning() {
        for (rule, command, expected) in [
            ("Bash(git *)", "FOO=bar git push", true),
            ("Bash(git *)", "npm test && git push", true),
            ("Bash(rm *)", "echo $(rm -rf /)", true),
            ("Bash(rm *)", "echo $(date)", false),
            ("Bash(cat *)", "echo before $(date) after", false),
            ("Bash(git *)", "$TOOL git push", true),
            ("Bash(git push *)", "echo $(date)", true),
            ("Bash(git push *)", "git status", false),
            ("Bash(git push *)", "git push", true),
            ("Bash(git push *)", "git  push  -f", true),
            ("Bash(git push:*)", "git push origin", true),
            ("Bash(git push:*)", "git pushes", false),
            ("Bash(ls *)", "lsof", false),
            ("Bash(ls*)", "lsof", true),
            ("Bash(* main)", "git checkout main", true),
            ("Bash(npm test)", "npm test > out.txt", true),
            ("Bash(npm test)", "npm tests", false),
            ("Bash(rm *)", "echo `rm x`", true),
            ("Bash(rm *)", "echo \"$(rm x)\"", true),
            ("Bash(rm *)", "echo '$(rm x)'", false),
            ("Bash(rm *)", "echo 'a; rm x'", false),
            ("Bash(rm *)", "ls; rm x", true),
            ("Bash(rm *)", "ls\nrm x", true),
            ("Bash(rm *)", "ls | rm x", true),
            ("Bash(rm *)", "ls & rm x", true),
            ("Bash(rm *)", "timeout 5 rm x", true),
            ("Bash(rm *)", "echo 2>&1", false),
            ("Bash(git *)", "git \\\npush", true),
            ("Bash", "anything", true),
            ("Bash(*)", "anything", true),
        ] {
            assert_eq!(command_matches(rule, command), expected, "{rule} {command:?}");
        }
    }

    #[test]
    fn a_permission_rule_matches_a_command_that_cannot_be_parsed() {
        for command in [
            "echo 'open",
            "echo \"open",
            "echo $(open",
            "echo `open",
            "(ls)",
            "{ ls; }",
            "if true; then ls; fi",
            "for x in a; do ls; done",
            "cat <<EOF\nx\nEOF",
            "ls # comment",
            "f() { ls; }",
            "! ls",
            "echo ${x:-$(ls)}",
            &"echo $(".repeat(100),
        ] {
            assert!(command_matches("Bash(git *)", command), "{command:?}");
        }
    }

    #[test]
    fn a_rule_for_files_has_its_documented_meaning() {
        for (rule, path, expected) in [
            ("Edit(*.ts)", "/code/project/a/b.ts", true),
            ("Edit(*.ts)", "/code/project/b.js", false),
            ("Edit(src/**)", "/code/project/src/a/b", true),
            ("Edit(src/**)", "/code/project/other/src/a", false),
            ("Edit(**/src/**)", "/code/project/other/src/a", true),
            ("Edit(./src/*)", "/code/project/src/a", true),
            ("Edit(//etc/**)", "/etc/passwd", true),
            ("Edit(//etc/**)", "/code/etc/passwd", false),
            ("Edit(~/.ssh/**)", "/home/u/.ssh/id", true),
            ("Edit(/docs/**)", "/code/project/docs/x", true),
            ("Edit(.env)", "/code/project/x/../.env", true),
            ("Edit(src/)", "/code/project/src/a", true),
            ("Edit([ab].ts)", "/code/project/c.ts", true),
            ("Edit", "/x", true),
        ] {
            let input = serde_json::json!({ "file_path": path }).to_string();
            assert_eq!(rule_matches(rule, "Edit", &input), expected, "{rule} {path}");
            assert!(!rule_matches(rule, "Bash", &input), "{rule}");
        }
    }

    #[test]
    fn a_rule_for_other_tools_means_their_name_and_what_can_be_judged() {
        for (rule, tool, input, expected) in [
            ("mcp__github", "mcp__github__push", "{}", true),
            ("mcp__github", "mcp__githubs__push", "{}", false),
            ("mcp__github__*", "mcp__github__push", "{}", true),
            ("Task(Explore)", "Agent", r#"{"subagent_type":"Explore"}"#, true),
            ("Agent(Explore)", "Task", r#"{"subagent_type":"Plan"}"#, false),
            ("WebFetch(domain:example.com)", "WebFetch", r#"{"url":"https://u@example.com:8/x"}"#, true),
            ("WebFetch(domain:example.com)", "WebFetch", r#"{"url":"https://example.com.evil/x"}"#, false),
            ("Skill(x)", "Skill", "{}", true),
            ("Bash(git *)", "Bash", "{}", true),
        ] {
            assert_eq!(rule_matches(rule, tool, input), expected, "{rule} {tool} {input}");
        }
    }

    #[test]
    fn an_invalid_rule_is_refused_with_the_cause() {
        for (text, expected) in [
            ("", "it does not begin with the name of a tool"),
            ("Bash(git *", "its `(` is not closed at the end"),
            ("Bash(git *) || Edit", "its `(` is not closed at the end"),
            ("git push", "it does not begin with the name of a tool"),
            (&"x".repeat(2000), "it is longer than 1024 bytes"),
        ] {
            assert_eq!(Rule::parse(text).unwrap_err(), expected, "{text}");
        }
    }
}
