//! Limits how many tools an agent may call between two prompts.

mod count;
mod settings;

use hookbox_sdk::{Answer, Event, Hook, export};

use settings::{Settings, Then};

/// The hook.
pub struct LimitCalls;

impl Hook for LimitCalls {
    fn handle(event: Event) -> Result<Answer, String> {
        let settings: Settings = hookbox_sdk::config()?;
        match (event.name.as_str(), &event.tool) {
            ("prompt.submit", _) => count::restart(event.time).map(|()| Answer::none()),
            ("tool.before", Some(tool)) => judge(&settings, &tool.name, event.time),
            _ => Ok(Answer::none()),
        }
    }
}

export!(LimitCalls);

/// Counts a call of this tool.
fn judge(settings: &Settings, tool: &str, now: u64) -> Result<Answer, String> {
    // Each of them counts, even if the other is reached.
    let all = settings.calls.map(|most| count::one_more("all").map(|count| (count, most))).transpose()?;
    let limit = settings.tools.get(tool).copied();
    let own =
        limit.map(|most| count::one_more(&format!("tool/{tool}")).map(|count| (count, most))).transpose()?;
    let over = |(count, most): &(i64, u32)| *count > i64::from(*most);
    let text = match (own.filter(over), all.filter(over)) {
        (Some((count, most)), _) => format!("this is call {count} of `{tool}`, and {most} are allowed"),
        (None, Some((count, most))) => format!("this is tool call {count}, and {most} are allowed"),
        (None, None) => return Ok(Answer::none()),
    };
    let text = match count::seconds_since_restart(now)? {
        Some(seconds) => format!("{text}; the prompt was {seconds} s ago"),
        None => text,
    };
    Ok(match settings.then {
        Then::Deny => Answer::deny("too-many-calls", text),
        Then::Ask => Answer::ask("too-many-calls", text),
    })
}

#[cfg(test)]
mod tests {
    use hookbox_sdk::{ToolCall, kv, testing};

    use super::*;

    fn prompt(time: u64) -> Result<Answer, String> {
        LimitCalls::handle(Event { name: "prompt.submit".into(), time, ..Event::default() })
    }

    fn call(tool: &str, time: u64) -> Result<Answer, String> {
        let tool = Some(ToolCall { name: tool.into(), ..ToolCall::default() });
        LimitCalls::handle(Event { name: "tool.before".into(), time, tool, ..Event::default() })
    }

    fn denied(text: &str) -> Answer {
        Answer::deny("too-many-calls", text)
    }

    #[test]
    fn calls_beyond_the_limit_are_denied_until_the_next_prompt() {
        testing::set_config(r#"{"calls": 2}"#);
        assert_eq!([call("a", 0), call("b", 0)], [Ok(Answer::none()), Ok(Answer::none())]);
        assert_eq!(call("a", 0), Ok(denied("this is tool call 3, and 2 are allowed")));
        assert_eq!(prompt(1_000), Ok(Answer::none()));
        assert_eq!([call("a", 2_000), call("b", 3_000)], [Ok(Answer::none()), Ok(Answer::none())]);
        let text = "this is tool call 3, and 2 are allowed; the prompt was 41 s ago";
        assert_eq!(call("a", 42_000), Ok(denied(text)));
    }

    #[test]
    fn a_tool_has_a_limit_of_its_own() {
        testing::set_config(r#"{"tools": {"web": 1}, "then": "ask"}"#);
        assert_eq!([call("web", 0), call("other", 0)], [Ok(Answer::none()), Ok(Answer::none())]);
        let text = "this is call 2 of `web`, and 1 are allowed";
        assert_eq!(call("web", 0), Ok(Answer::ask("too-many-calls", text)));
        assert_eq!(call("other", 0), Ok(Answer::none()));
    }

    #[test]
    fn what_cannot_be_counted_is_a_failure() {
        testing::set_config(r#"{"calls": 2}"#);
        testing::set_kv_error(Some(kv::Error::NoPlace));
        let error = Err("the event does not tell its session or project".to_owned());
        assert_eq!([call("a", 0), prompt(0)], [error.clone(), error]);
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        testing::set_config(r#"{"cals": 2}"#);
        assert!(call("a", 0).is_err());
    }
}
