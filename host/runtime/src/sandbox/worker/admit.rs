//! Validates a worker's answers. They may come from an exploit that broke out of the sandbox: an answer has no more
//! effect than a guest's own answer could have.

use hookbox_model::{
    Answer, CapabilityRefusal, Failure, FailureCode, Json, Limit, Limits, LogLine, Rewrite, Usage, Verdict,
};

use super::message::{CallReply, ProgramEnd};
use crate::{
    interfaces::{Call, Contract, ProcessEnd, Reply},
    sandbox::{convert, failure, kind::Kind},
};

/// Most refusals that are kept.
const MOST_REFUSALS: usize = 32;

/// Returns the reply of a call of a plugin of this kind.
pub(super) fn admit_reply(
    reply: CallReply,
    (kind, call): (Kind, &Call<'_>),
    contract: &dyn Contract,
) -> Reply {
    let CallReply { result, mut refused, usage, log, end, needs_facts } = reply;
    let result = match (result, end) {
        // The host sends facts once, and then no call of this event needs them.
        _ if needs_facts => Err(nonsense_failure()),
        (Ok(_), Some(end)) if kind != Kind::Hook => admit_end(&end, call, contract),
        // Only a program that was not started has no end.
        (Ok(_), None) if kind != Kind::Hook => Ok(Answer::default()),
        (Ok(answer), _) => admit_answer(answer, call.limits),
        (Err(failure), _) => Err(self::admit_failure(&failure)),
    };
    refused.truncate(MOST_REFUSALS);
    refused.retain(is_refusal);
    let log = truncate_log(log, call.limits);
    // This counts the lines as the guest wrote them; here they are cleaned.
    let log_bytes = usage.log_bytes.min(call.limits.get(Limit::LogBytes));
    // A worker has no network, and the host itself knows if the plugin was loaded before: other values are
    // forged.
    let usage = Usage { log_bytes, requests: 0, start: None, ..usage };
    Reply { result, refused, usage, log, process: None, plugin: None }
}

fn admit_end(end: &ProgramEnd, call: &Call<'_>, contract: &dyn Contract) -> Result<Answer, Failure> {
    let most = call.limits.get(Limit::Output);
    let stdout = end.written().ok_or_else(nonsense_failure)?;
    if stdout.len() as u64 > most {
        return Err(failure::too_much_output(call.limits));
    }
    contract.end(call, &ProcessEnd { exit: end.exit, stdout: &stdout, stderr: &end.stderr })
}

/// Checks that a guest can give this answer. Texts, codes and JSON were validated when they were read.
fn admit_answer(answer: Answer, limits: &Limits) -> Result<Answer, Failure> {
    let is_object = |json: &Json| json.members().is_some();
    // hookbox's world has no `defer`, and its patches and extras are objects: only an exploit produces
    // anything else.
    let odd_rewrite = matches!(&answer.rewrite, Some(Rewrite::Merge(patch)) if !is_object(patch));
    let odd_extra = answer.extra.as_ref().is_some_and(|extra| !is_object(extra));
    if matches!(answer.verdict, Verdict::Defer(_)) || odd_rewrite || odd_extra {
        return Err(nonsense_failure());
    }
    convert::check_size(answer_size(&answer), limits)?;
    Ok(Answer { last: false, unseen: false, ..answer })
}

fn answer_size(answer: &Answer) -> usize {
    let of = |text: &Option<String>| text.as_ref().map_or(0, String::len);
    let json = |json: &Json| json.as_str().len();
    let rewrite = answer.rewrite.as_ref().map_or(0, |rewrite| match rewrite {
        Rewrite::Replace(part) | Rewrite::Merge(part) => json(part),
    });
    let reason = answer.verdict.reason().map_or(0, |reason| reason.code().len() + reason.text().len());
    let extra = answer.extra.as_ref().map_or(0, json);
    reason + rewrite + extra + of(&answer.context) + of(&answer.notice) + of(&answer.stop)
}

/// Returns a failure that a guest, or its process, can have.
pub(super) fn admit_failure(failure: &Failure) -> Failure {
    use FailureCode::{
        BadComponent, BadOutput, Fuel, HookError, HostCalls, Memory, Output, Refused, Stack, Timeout, Trap,
    };
    // Other codes are statements of the host, for example that a file was replaced.
    let can_be =
        [BadComponent, BadOutput, Fuel, HookError, HostCalls, Memory, Output, Refused, Stack, Timeout, Trap];
    let code = if can_be.contains(&failure.code) { failure.code } else { FailureCode::Internal };
    Failure::new(code, &failure.message)
}

fn nonsense_failure() -> Failure {
    Failure::new(
        FailureCode::BadOutput,
        "the process that the guest runs in gave an answer that no guest can give",
    )
}

fn truncate_log(mut log: Vec<LogLine>, limits: &Limits) -> Vec<LogLine> {
    log.truncate(limits.get_size(Limit::LogLines));
    let mut left = limits.get_size(Limit::LogBytes);
    log.retain(|line| match left.checked_sub(line.message.len()) {
        Some(rest) => {
            left = rest;
            true
        }
        None => false,
    });
    log
}

/// Returns true if the refusal is for a capability that isolated guests do not have.
fn is_refusal(refusal: &CapabilityRefusal) -> bool {
    ["http", "secret", "kv", "fs", "env"].iter().any(|known| refusal.capability.starts_with(known))
}

#[cfg(test)]
mod tests {
    use hookbox_model::{Exit, LogLevel, Reason, Start};

    use super::*;

    fn try_admit(answer: Answer) -> Result<Answer, FailureCode> {
        let limits = Limits::default().with_limit(Limit::Output, 1024).unwrap();
        super::admit_answer(answer, &limits).map_err(|failure| failure.code)
    }

    #[test]
    fn an_answer_of_a_worker_is_one_that_a_guest_can_give() {
        let deny = Answer { last: true, unseen: true, ..Answer::deny("no-shell", "not here") };
        assert_eq!(try_admit(deny), Ok(Answer::deny("no-shell", "not here")));
        let list = || Json::parse("[1]").unwrap();
        for odd in [
            Answer::from(Verdict::Defer(Reason::new("later", ""))),
            Answer { rewrite: Some(Rewrite::Merge(list())), ..Answer::default() },
            Answer { extra: Some(list()), ..Answer::default() },
        ] {
            assert_eq!(try_admit(odd), Err(FailureCode::BadOutput));
        }
        let long = Json::parse(&format!("\"{}\"", "x".repeat(1024))).unwrap();
        let long = Answer { rewrite: Some(Rewrite::Replace(long)), ..Answer::default() };
        assert_eq!(try_admit(long), Err(FailureCode::Output));
    }

    #[test]
    fn a_failure_of_a_worker_is_one_that_a_guest_can_have() {
        let of = |code| admit_failure(&Failure::new(code, "why").with_notice(Some("read this")));
        assert_eq!(of(FailureCode::Fuel), Failure::new(FailureCode::Fuel, "why"));
        assert_eq!(of(FailureCode::Tripped), Failure::new(FailureCode::Internal, "why"));
    }

    #[test]
    fn a_log_of_a_worker_is_cut_at_its_quota() {
        let limits = Limits::default().with_limit(Limit::LogBytes, 256).unwrap();
        let limits = limits.with_limit(Limit::LogLines, 3).unwrap();
        let line = |length| LogLine::new(LogLevel::Info, &"x".repeat(length));
        let log = vec![line(200), line(100), line(56), line(1)];
        assert_eq!(truncate_log(log, &limits), [line(200), line(56)]);
    }

    #[test]
    fn a_worker_reports_no_requests_and_no_start() {
        let worker_reply = CallReply {
            result: Err(Failure::new(FailureCode::Trap, "")),
            refused: vec![
                CapabilityRefusal::new("nonsense", "", "", None),
                CapabilityRefusal::new("kv", "user", "", None),
            ],
            usage: Usage { requests: 7, log_bytes: u64::MAX, start: Some(Start::Cold), ..Usage::default() },
            log: vec![],
            end: Some(ProgramEnd::new(Exit::Code(0), b"", "")),
            needs_facts: false,
        };
        let (event, config, limits) = (
            hookbox_model::Event::new(hookbox_model::EventName::Custom("x".into()), "native"),
            Json::empty_object(),
            Limits::default(),
        );
        let call = Call {
            hook: "",
            event: &event,
            original: None,
            outcome: None,
            config: &config,
            limits: &limits,
            clock: crate::Clock::machine(),
            facts: None,
        };
        let reply = admit_reply(worker_reply, (Kind::Hook, &call), &crate::agents::native::ProgramContract);
        assert_eq!(reply.usage, Usage { log_bytes: limits.get(Limit::LogBytes), ..Usage::default() });
        assert_eq!(reply.refused, [CapabilityRefusal::new("kv", "user", "", None)]);
    }
}
