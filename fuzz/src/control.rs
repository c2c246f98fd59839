//! What Claude Code may send in the Agent SDK's control protocol.

use std::{future::pending, sync::OnceLock};

use hookbox::model::Json;
use hookbox_service::control::{
    Callbacks, Group, OtherMessages, SdkCall, SdkCallback, Session, SessionOutput,
};
use tokio::runtime::{Builder, Runtime};

/// The bytes are what comes from Claude Code, in pieces of as many bytes as the first says. Each line is answered at most once.
pub fn run(data: &[u8]) {
    let (size, data) = data.split_first().map_or((1, data), |(size, data)| (usize::from(*size).max(1), data));
    for others in [OtherMessages::Refuse, OtherMessages::HandBack] {
        let answers = runtime().block_on(async {
            let (session, mut said) = Session::new(callbacks(), others, runtime().handle().clone());
            session.initialize(&Json::empty_object());
            for piece in data.chunks(size) {
                session.receive(piece);
                tokio::task::yield_now().await;
            }
            session.end();
            let mut answers = 0;
            while let Some(output) = said.next().await {
                match output {
                    SessionOutput::Line(line) => {
                        assert!(!line.contains('\n') && Json::parse_object(&line).is_ok(), "{line}");
                        answers += usize::from(line.starts_with(r#"{"type":"control_response""#));
                    }
                    SessionOutput::Log(entry) => assert!(!entry.to_string().is_empty()),
                    SessionOutput::Initialized(_) | SessionOutput::Unhandled(_) => {}
                }
            }
            answers
        });
        let lines = data.split(|byte| *byte == b'\n').count();
        assert!(answers <= lines, "{answers} answers to {lines} lines");
    }
}

/// One that answers, one that fails, one that never does, and one that says what it was asked.
fn callbacks() -> Callbacks {
    let callbacks = Callbacks::default();
    let all = [
        SdkCallback::asynchronous(|_| async { Ok(Json::empty_object()) }),
        SdkCallback::asynchronous(|_| async { Err("no".into()) }),
        SdkCallback::asynchronous(|_| pending()),
        SdkCallback::asynchronous(|call: SdkCall| async move { Ok(call.input) }),
    ];
    // The names are Claude Code's own, so they are taken.
    let added = callbacks.add("PreToolUse", Group::default(), all);
    assert!(added.is_ok(), "{added:?}");
    callbacks
}

fn runtime() -> &'static Runtime {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();
    let build = || Builder::new_current_thread().enable_all().build();
    RUNTIME.get_or_init(|| build().unwrap_or_else(|error| unreachable!("{error}")))
}
