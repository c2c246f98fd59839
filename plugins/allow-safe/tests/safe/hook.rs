//! The hook as the host calls it.

use allow_safe::AllowSafe;
use hookbox_sdk::{Answer, Event, Hook, ToolCall, ToolClass, Verdict, testing};

use crate::PROJECT;

fn answer(config: &str, class: ToolClass, command: Option<&str>, paths: &[&str]) -> Result<Answer, String> {
    testing::set_config(config);
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    let tool = ToolCall { class, paths, command: command.map(str::to_owned), ..ToolCall::default() };
    AllowSafe::handle(Event {
        name: "tool.before".into(),
        cwd: PROJECT.into(),
        tool: Some(tool),
        ..Event::default()
    })
}

#[test]
fn a_safe_command_is_allowed_and_others_get_no_opinion() {
    let verdict = |command, paths: &[&str]| answer("{}", ToolClass::Shell, command, paths).unwrap().verdict;
    assert!(matches!(verdict(Some("ls"), &[]), Verdict::Allow(reason) if reason.code == "safe-command"));
    assert!(matches!(verdict(Some("ls > a"), &["/home/me/project/sub"]), Verdict::Allow(_)));
    assert!(matches!(verdict(Some("ls > a"), &["/tmp"]), Verdict::None));
    assert!(matches!(verdict(Some("rm -rf /"), &[]), Verdict::None));
    assert!(matches!(verdict(None, &[]), Verdict::None));
    let mcp = answer("{}", ToolClass::Mcp, Some("ls"), &[]).unwrap().verdict;
    assert!(matches!(mcp, Verdict::None));
}

#[test]
fn an_unknown_setting_is_an_error() {
    assert!(answer(r#"{"command":["x"]}"#, ToolClass::Shell, Some("ls"), &[]).is_err());
}
