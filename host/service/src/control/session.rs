//! A connection with one Claude Code that calls callbacks.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher as _, RandomState},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use hookbox::{
    lines::{Line, Lines},
    model::{Failure, FailureCode, Json},
};
use hookbox_embed::agent_sdk::{self, BadMessage, HookCallback, Incoming, Initialized};
use tokio::{
    runtime::Handle,
    sync::mpsc::{self, UnboundedSender},
    task::AbortHandle,
};

use super::{
    callback::SdkCall,
    callback_call::Calling,
    callbacks::Callbacks,
    cancellation::{CancelReason, Cancellation, Canceller},
    session_output::{Entry, SessionOutput, SessionOutputs, UnhandledMessage},
};

/// Longest message, bytes: the limit of an event.
pub const MAX_LINE_BYTES: usize = hookbox::MAX_EVENT_BYTES;
/// Bytes kept of the beginning of a longer message, which may contain the request's id.
const BEGINNING: usize = 64 << 10;
/// Time limit of the answer to `initialize`: Claude Code starts servers first.
pub const INITIALIZE_WAITS: Duration = Duration::from_mins(1);
/// Most callbacks that run concurrently. Further ones are refused.
pub const MAX_UNDER_WAY: usize = 1024;
/// Most kinds of unknown messages that are logged; others are ignored.
const MAX_KINDS: usize = 16;
const IN_USE: &str = "this id is in use by a request that is not answered yet";

/// Handling of messages that are not about hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherMessages {
    /// Requests are answered with an error, other messages are ignored.
    Refuse,
    /// The program gets them ([`SessionOutput::Unhandled`]), and answers the requests among them.
    HandBack,
}

/// A session, which ends when it is dropped.
#[derive(Debug)]
pub struct Session(Arc<Shared>);

#[derive(Debug)]
pub(super) struct Shared {
    callbacks: Callbacks,
    others: OtherMessages,
    runtime: Handle,
    /// Locked while lines are processed: one after another, from any thread.
    lines: Mutex<Lines>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` once the session has ended.
    outputs: Option<UnboundedSender<SessionOutput>>,
    under_way: HashMap<String, UnderWay>,
    initializing: HashMap<String, AbortHandle>,
    /// Number of requests sent, and number of calls begun.
    sent: u64,
    begun: u64,
    kinds: HashSet<String>,
}

#[derive(Debug)]
struct UnderWay {
    /// Number of the call: an id may be used again once it was answered.
    number: u64,
    canceller: Canceller,
}

impl Session {
    /// Creates a session whose callbacks run on `runtime`, which needs its timer, and its I/O if a callback does. Nothing is sent yet.
    pub fn new(callbacks: Callbacks, others: OtherMessages, runtime: Handle) -> (Self, SessionOutputs) {
        let (sender, receiver) = mpsc::unbounded_channel();
        let state = State {
            outputs: Some(sender),
            under_way: HashMap::new(),
            initializing: HashMap::new(),
            sent: 0,
            begun: 0,
            kinds: HashSet::new(),
        };
        let lines = Mutex::new(Lines::new(MAX_LINE_BYTES).keep_beginning(BEGINNING));
        let state = Mutex::new(state);
        (Self(Arc::new(Shared { callbacks, others, runtime, lines, state })), SessionOutputs(receiver))
    }

    /// Sends the request that registers all callbacks; a second one replaces the first. `siblings` are further members of the request
    /// besides hooks, an object. The result is a [`SessionOutput::Initialized`].
    pub fn initialize(&self, siblings: &Json) {
        self.0.send_initialize(siblings);
    }

    /// Processes bytes from Claude Code: all messages that end in them.
    pub fn receive(&self, mut bytes: &[u8]) {
        let mut lines = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(line) = lines.next(&mut bytes) {
            self.0.process_line(line);
        }
    }

    /// Ends the session, when the stream has ended or is not needed any more: every callback under way is cancelled, and nothing is
    /// answered.
    pub fn end(&self) {
        // The last message may lack its line break.
        let last = self.0.lines.lock().unwrap_or_else(PoisonError::into_inner).take_last();
        if let Some(line) = last {
            self.0.process_line(line);
        }
        self.0.end();
    }

    /// Returns the number of running callbacks whose answers are awaited.
    pub fn under_way(&self) -> usize {
        self.0.state().under_way.len()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send_initialize(self: &Arc<Self>, siblings: &Json) {
        let registrations = self.callbacks.registrations();
        let mut state = self.state();
        state.sent += 1;
        // Random, like the SDK's own: the id must not equal that of another sender's request.
        let random = RandomState::new().hash_one(state.sent);
        let id = format!("req_{}_{:08x}", state.sent, random >> 32);
        state.send_output(SessionOutput::Line(agent_sdk::format_initialize(&id, &registrations, siblings)));
        let (shared, waiting) = (Arc::downgrade(self), id.clone());
        let timer = self.runtime.spawn(async move {
            tokio::time::sleep(INITIALIZE_WAITS).await;
            if let Some(shared) = shared.upgrade() {
                shared.not_initialized(&waiting);
            }
        });
        state.initializing.insert(id, timer.abort_handle());
    }

    fn not_initialized(&self, id: &str) {
        let mut state = self.state();
        if state.initializing.remove(id).is_some() {
            let seconds = INITIALIZE_WAITS.as_secs();
            let message = format!("Claude Code did not answer `initialize` within {seconds} s");
            state.send_output(SessionOutput::Line(agent_sdk::format_cancel(id)));
            state.send_output(SessionOutput::Initialized(Err(Failure::new(FailureCode::Timeout, &message))));
        }
    }

    fn end(&self) {
        let mut state = self.state();
        for (_, under_way) in state.under_way.drain() {
            under_way.canceller.cancel(CancelReason::Ended);
        }
        let waiting: Vec<_> = state.initializing.drain().collect();
        for (_, timer) in waiting {
            timer.abort();
            let message = "the stream ended before Claude Code answered `initialize`";
            state.send_output(SessionOutput::Initialized(Err(Failure::new(FailureCode::Cancelled, message))));
        }
        // The senders of running calls remain: the output ends after the last of them.
        state.outputs = None;
    }

    fn process_line(self: &Arc<Self>, line: Line) {
        let line = match line {
            Line::Whole(line) if line.trim_ascii().is_empty() => return,
            Line::Whole(line) => line,
            Line::TooLong(length, beginning) => {
                let problem = format!(
                    "the message is {length} bytes long, and no longer one than {MAX_LINE_BYTES} is read"
                );
                return self
                    .answer_bad_request(&BadMessage { problem, ..agent_sdk::parse_beginning(&beginning) });
            }
        };
        match Incoming::read(&line) {
            Err(bad) => self.answer_bad_request(&bad),
            Ok(Incoming::Call(call)) => self.start_call(call),
            Ok(Incoming::Cancel { request_id }) => self.cancel_call(&request_id, &line),
            Ok(Incoming::Reply { request_id, reply }) => self.process_reply(&request_id, reply, &line),
            Ok(Incoming::Request { request_id, subtype }) => {
                self.process_request(request_id, &subtype, &line);
            }
            Ok(Incoming::Other { kind }) => self.process_other(kind, &line),
        }
    }

    /// Answers a request that cannot be parsed, if its id is known.
    fn answer_bad_request(&self, bad: &BadMessage) {
        let registered = bad.callback_id.as_ref().and_then(|id| self.callbacks.find_callback(id));
        let refusal = registered.and_then(|one| one.callback.build_refusal(&one.event, &bad.problem));
        let mut state = self.state();
        if let Some(id) = &bad.request_id
            // The id belongs to a request that is answered later; two answers would confuse Claude Code.
            && !state.under_way.contains_key(id)
        {
            state.send_output(SessionOutput::Line(match refusal {
                Some(output) => agent_sdk::format_success(id, &output),
                None => agent_sdk::format_error(id, &bad.problem),
            }));
        }
        let (request_id, callback_id) = (bad.request_id.clone(), bad.callback_id.clone());
        state.log_entry(Entry { request_id, callback_id, ..Entry::new(&bad.problem) });
    }

    /// Starts a call. Lines are processed one after another, so no other call begins meanwhile.
    fn start_call(self: &Arc<Self>, call: HookCallback) {
        let HookCallback { request_id, callback_id, input, tool_use_id } = call;
        let bad = |problem: String| BadMessage {
            request_id: Some(request_id.clone()),
            callback_id: Some(callback_id.clone()),
            problem,
        };
        let under_way = {
            let mut state = self.state();
            if state.under_way.contains_key(&request_id) {
                // The id gets the answer of the first request; a second answer would be one too many.
                return state.log_entry(Entry::of(&request_id, IN_USE));
            }
            state.under_way.len()
        };
        let Some(registered) = self.callbacks.find_callback(&callback_id) else {
            let message = format!("No hook callback found for ID: {callback_id}");
            return self.state().refuse_request(&request_id, &message);
        };
        if under_way >= MAX_UNDER_WAY {
            let most = format!("{MAX_UNDER_WAY} callbacks are running, which is the limit");
            return self.answer_bad_request(&bad(most));
        }
        let event = agent_sdk::event_of(&input).unwrap_or_else(|| registered.event.clone());
        let input = match Json::parse_cut_object(&input) {
            Ok(input) => input,
            Err(error) => {
                return self.answer_bad_request(&bad(format!("the input is not acceptable: {error}")));
            }
        };
        let mut state = self.state();
        // The session may have ended while the input was parsed without the lock.
        let Some(outputs) = state.outputs.clone() else { return };
        state.begun += 1;
        let (number, (canceller, cancellation)) = (state.begun, Cancellation::new());
        state.under_way.insert(request_id.clone(), UnderWay { number, canceller });
        drop(state);
        let call = SdkCall { callback_id, event, input, tool_use_id, cancellation };
        let calling = Calling { shared: Arc::downgrade(self), outputs, registered, request_id, number };
        self.runtime.spawn(calling.run(call));
    }

    fn cancel_call(&self, request_id: &str, line: &[u8]) {
        let mut state = self.state();
        match state.under_way.remove(request_id) {
            Some(under_way) => under_way.canceller.cancel(CancelReason::Cancelled),
            // The request was answered, or belongs to another receiver.
            None if self.others == OtherMessages::HandBack => {
                state.hand_back(None, "control_cancel_request", line);
            }
            None => {}
        }
    }

    fn process_reply(&self, request_id: &str, reply: Result<Json, String>, line: &[u8]) {
        let mut state = self.state();
        let Some(timer) = state.initializing.remove(request_id) else {
            return match self.others {
                OtherMessages::HandBack => state.hand_back(None, "control_response", line),
                OtherMessages::Refuse => {
                    state.log_entry(Entry::of(request_id, "this is a reply to a request that was not sent"));
                }
            };
        };
        timer.abort();
        let refused = |error: String| {
            Failure::new(FailureCode::Refused, &format!("Claude Code refused `initialize`: {error}"))
        };
        state.send_output(SessionOutput::Initialized(
            reply.map(|reply| Initialized::read(&reply)).map_err(refused),
        ));
    }

    fn process_request(&self, request_id: String, subtype: &str, line: &[u8]) {
        let mut state = self.state();
        match self.others {
            OtherMessages::HandBack => state.hand_back(Some(request_id), subtype, line),
            // The first request with this id waits for the answer.
            OtherMessages::Refuse if state.under_way.contains_key(&request_id) => {
                state.log_entry(Entry::of(&request_id, IN_USE));
            }
            OtherMessages::Refuse => {
                state.refuse_request(&request_id, &format!("Unsupported control request subtype: {subtype}"));
            }
        }
    }

    fn process_other(&self, kind: String, line: &[u8]) {
        let mut state = self.state();
        if self.others == OtherMessages::HandBack {
            return state.hand_back(None, &kind, line);
        }
        // The kinds are the sender's words, so their number is bounded.
        if state.kinds.len() < MAX_KINDS && !state.kinds.contains(&kind) {
            state.log_entry(Entry::new(format!(
                "messages of the type {kind:?} are passed over: they are about no hook"
            )));
            state.kinds.insert(kind);
        }
    }

    /// Sends the answer of this call, unless it is not awaited any more; `why` is the reason that its callback gets then.
    pub(super) fn send_answer(
        &self,
        (request_id, number): (&str, u64),
        line: String,
        why: Option<CancelReason>,
    ) -> bool {
        let mut state = self.state();
        // By number: the id may have been used again after a cancellation.
        let waits = state.under_way.get(request_id).is_some_and(|under_way| under_way.number == number);
        if !waits {
            return false;
        }
        let under_way = state.under_way.remove(request_id);
        if let (Some(under_way), Some(why)) = (under_way, why) {
            under_way.canceller.cancel(why);
        }
        state.send_output(SessionOutput::Line(line));
        true
    }
}

impl State {
    fn send_output(&mut self, output: SessionOutput) {
        if let Some(out) = &self.outputs {
            // A program that has dropped the receiver needs none of it.
            let _ = out.send(output);
        }
    }

    fn log_entry(&mut self, entry: Entry) {
        self.send_output(SessionOutput::Log(entry));
    }

    fn refuse_request(&mut self, request_id: &str, message: &str) {
        self.send_output(SessionOutput::Line(agent_sdk::format_error(request_id, message)));
        self.log_entry(Entry::of(request_id, message));
    }

    fn hand_back(&mut self, request_id: Option<String>, kind: &str, line: &[u8]) {
        let line = String::from_utf8_lossy(line).into_owned();
        self.send_output(SessionOutput::Unhandled(UnhandledMessage {
            request_id,
            kind: kind.to_owned(),
            line,
        }));
    }
}
