//! `hookbox dialects`: what each agent can tell, and be told.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::TestBed;

#[test]
fn a_dialect_is_shown_event_by_event() {
    assert_snapshot!(TestBed::new().run_hookbox(&["dialects", "gemini-cli"]), @"
    exit code 0
    --- stdout
    gemini-cli
      BeforeTool           tool.before           block ask rewrite
      AfterTool            tool.after            block context
      AfterTool            tool.error            block context
      BeforeAgent          prompt.submit         block context
      AfterAgent           agent.stop            block
      BeforeModel          model.request         block rewrite
      AfterModel           model.response        block rewrite
      BeforeToolSelection  model.select-tools    rewrite
      SessionStart         session.start         context
      SessionEnd           session.end
      PreCompress          compact.before
      Notification         notification
    --- stderr
    ");
}

#[test]
fn what_is_known_at_second_hand_is_marked() {
    let ran = TestBed::new().run_hookbox(&["dialects", "claude-code"]);
    let unsure: Vec<_> = ran.stdout.lines().filter(|line| line.contains("unsure")).collect();
    assert_snapshot!(unsure.join("\n"), @"
    PreModelSwitch       model.switch-before   block ask  unsure
    PostModelSwitch      model.switch-after    context  unsure
    ");
}

#[test]
fn all_of_cursor_is_unsure_and_nothing_of_amazon_q() {
    let unsure = |agent: &str| {
        let ran = TestBed::new().run_hookbox(&["dialects", agent]);
        ran.stdout.lines().skip(1).filter(|line| line.ends_with("  unsure")).count()
    };
    assert_eq!([unsure("cursor"), unsure("amazon-q")], [21, 0]);
    assert_snapshot!(TestBed::new().run_hookbox(&["dialects", "amazon-q"]), @"
    exit code 0
    --- stdout
    amazon-q
      agentSpawn        session.start         context
      userPromptSubmit  prompt.submit         context
      preToolUse        tool.before           block
      postToolUse       tool.batch-after
      postToolUse       tool.after
      stop              agent.stop
    --- stderr
    ");
}

#[test]
fn an_event_of_copilot_is_listed_by_both_its_names() {
    let ran = TestBed::new().run_hookbox(&["dialects", "copilot"]);
    let tools: Vec<_> = ran.stdout.lines().filter(|line| line.contains(" tool.before ")).collect();
    assert_snapshot!(tools.join("\n"), @"
    preToolUse             tool.before           block ask rewrite
    PreToolUse             tool.before           block ask rewrite
    ");
}

#[test]
fn all_of_them_have_every_event_in_the_json_form() {
    let ran = TestBed::new().run_hookbox(&["dialects", "--json"]);
    let shown: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((ran.code, &shown["version"]), (0, &json!(1)));
    let count = |name: &str| {
        let mut dialects = shown["dialects"].as_array().unwrap().iter();
        dialects.find(|dialect| dialect["name"] == name).unwrap()["events"].as_array().unwrap().len()
    };
    assert_eq!([count("claude-code"), count("gemini-cli"), count("native")], [33, 12, 49]);
}

#[test]
fn an_event_in_the_json_form_says_all() {
    let ran = TestBed::new().run_hookbox(&["dialects", "claude-code", "--json"]);
    let shown: Value = serde_json::from_str(&ran.stdout).unwrap();
    let event = |name: &str| {
        let events = shown["dialects"][0]["events"].as_array().unwrap();
        events.iter().find(|event| event["event"] == name).unwrap().clone()
    };
    let yes = json!({"event": "PreToolUse", "canonical": "tool.before", "block": true, "ask": true,
        "rewrite": true, "context": true, "sure": true});
    let unsure = json!({"event": "PostModelSwitch", "canonical": "model.switch-after", "block": false, "ask": false,
        "rewrite": false, "context": true, "sure": false});
    assert_eq!([event("PreToolUse"), event("PostModelSwitch")], [yes, unsure]);
}

#[test]
fn an_unknown_dialect_is_refused_with_what_is_known() {
    let ran = TestBed::new().run_hookbox(&["dialects", "claude-cod"]);
    let said = "error: unknown dialect `claude-cod`; did you mean `claude-code`? allowed: claude-code, codex, gemini-cli";
    assert!(ran.code == 2 && ran.stderr.starts_with(said), "{ran}");
}
