//! The server's reply.

use hookbox_sdk::Answer;
use serde::Deserialize;

/// The server's reply. Other members are ignored.
#[derive(Deserialize)]
pub(crate) struct Reply {
    decision: Decision,
    #[serde(default)]
    reason: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Decision {
    None,
    Ask,
    Deny,
}

impl Reply {
    /// Converts the reply to the hook's answer.
    pub(crate) fn answer(self) -> Answer {
        let reason =
            if self.reason.is_empty() { "the server gave no reason".to_owned() } else { self.reason };
        match self.decision {
            Decision::None => Answer::none(),
            Decision::Ask => Answer::ask("server-asked", reason),
            Decision::Deny => Answer::deny("server-denied", reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(reply: &str) -> Option<Answer> {
        serde_json::from_str(reply).ok().map(Reply::answer)
    }

    #[test]
    fn each_decision_becomes_its_verdict_with_the_servers_reason() {
        let denied = Answer::deny("server-denied", "not on Fridays");
        assert_eq!(answer(r#"{"decision":"deny","reason":"not on Fridays","id":7}"#), Some(denied));
        let asked = Answer::ask("server-asked", "the server gave no reason");
        assert_eq!(answer(r#"{"decision":"ask"}"#), Some(asked));
        assert_eq!(answer(r#"{"decision":"none"}"#), Some(Answer::none()));
    }

    #[test]
    fn a_server_cannot_allow_and_an_unknown_decision_is_not_a_reply() {
        for reply in [r#"{"decision":"allow"}"#, r#"{"decision":"Deny"}"#, "{}", "deny"] {
            assert_eq!(answer(reply), None, "{reply}");
        }
    }
}
