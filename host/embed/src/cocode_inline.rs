//! cocode's third kind of hook: a closure of the embedding program, with cocode's types. It gets a [`HookContext`] and returns a
//! [`HookResult`], for events of any agent.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use hookbox::agents::{ReadContext, Dialect, AgentHookFile, cocode::Cocode};
//! use hookbox::model::{EventName, Json};
//! use hookbox::{CallbackHook, Host, ToolMatcher};
//! use hookbox_embed::cocode_inline::{HookResult, wrap_closure};
//!
//! let no_secrets = wrap_closure(|context| {
//!     let path = context.tool_input.as_ref().and_then(|input| input["file_path"].as_str());
//!     match path {
//!         Some(path) if path.contains(".env") => {
//!             HookResult::Reject { reason: "Cannot write to sensitive files".to_owned() }
//!         }
//!         _ => HookResult::Continue,
//!     }
//! });
//! let writes = ToolMatcher { names: vec!["Write".to_owned()], ..ToolMatcher::default() };
//! let host = Host::builder()
//!     .policy(Cocode.policy())
//!     .callback(CallbackHook::transform("no-secrets", [EventName::ToolBefore]).tool(writes), no_secrets)
//!     .build();
//!
//! let context = Json::parse(
//!     r#"{"event":"PreToolUse","session_id":"s","cwd":"/code","env":{},
//!         "tool_name":"Write","tool_input":{"file_path":"/home/dev/project/.env"}}"#,
//! )?;
//! let event = Cocode.read(context, &ReadContext::default())?;
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! let outcome = runtime.block_on(host.dispatch(event.clone()));
//! let written = Cocode.write(&event, &outcome);
//! assert_eq!(written.stdout.trim_end(), r#"{"Reject":{"reason":"Cannot write to sensitive files"}}"#);
//! # Ok(())
//! # }
//! ```

use std::path::PathBuf;

use hookbox_model::{Answer, Json, Reason, Rewrite, Verdict};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use hookbox_core::{Callback, interfaces::Call};

/// Input of a hook. It does not include the agent's environment, which no hook of hookbox sees.
#[derive(Clone, Debug, PartialEq)]
pub struct HookContext {
    /// The agent's name for the event: `PreToolUse`.
    pub event: String,
    /// Name of the tool, for events of a tool.
    pub tool_name: Option<String>,
    /// Input of the tool, for events of a tool; for others the input as an earlier hook changed it, if one did.
    pub tool_input: Option<Value>,
    /// Output of the tool, after it has run.
    pub tool_output: Option<Value>,
    /// Error of the tool.
    pub error: Option<String>,
    /// The prompt, with the changes of earlier hooks.
    pub user_prompt: Option<String>,
    /// The agent's session; empty if it named none.
    pub session_id: String,
    /// The subagent, for its events.
    pub agent_id: Option<String>,
    /// The agent's working directory.
    pub cwd: PathBuf,
}

/// Result of a hook; serde reads and writes it as cocode's files do: `"Continue"`, `{"Reject":{"reason":"…"}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum HookResult {
    /// Continue.
    Continue,
    /// Block the action.
    Reject {
        /// The reason.
        reason: String,
    },
    /// Continue with this input: the tool's whole input, the prompt.
    ModifyInput {
        /// The input.
        new_input: Value,
    },
}

impl HookResult {
    /// Returns true if it rejects.
    pub fn is_reject(&self) -> bool {
        matches!(self, Self::Reject { .. })
    }

    /// Returns true if it changes the input.
    pub fn is_modify(&self) -> bool {
        matches!(self, Self::ModifyInput { .. })
    }
}

/// Wraps a closure with cocode's types as a hook's handler. A `ModifyInput` where nothing can be changed is a failed hook.
pub fn wrap_closure(callback: impl Fn(HookContext) -> HookResult + Send + Sync + 'static) -> Callback {
    Callback::sync(move |call| Ok(build_answer(callback(build_context(call)))))
}

fn build_context(call: &Call<'_>) -> HookContext {
    let event = call.event;
    let tool = event.tool.as_ref();
    let payload = event.payload.members().unwrap_or_default();
    let changed = || call.original.and_then(|_| event.rewritable()).map(|part| part.to_value());
    HookContext {
        event: event.agent_event.clone(),
        tool_name: tool.map(|tool| tool.name.clone()),
        // For an event without a tool cocode passes the input that an earlier hook has changed.
        tool_input: tool.map(|tool| tool.input.to_value()).or_else(changed),
        tool_output: tool.and_then(|tool| tool.output.as_ref()).map(Json::to_value),
        error: payload.get_string("error"),
        user_prompt: payload.get_string("prompt"),
        session_id: event.session.clone(),
        agent_id: payload.get_string("agent_id"),
        cwd: PathBuf::from(&event.cwd),
    }
}

fn build_answer(result: HookResult) -> Answer {
    match result {
        HookResult::Continue => Answer::default(),
        HookResult::Reject { reason } => {
            Answer { verdict: Verdict::Deny(Reason::new("", &reason)), ..Answer::default() }
        }
        HookResult::ModifyInput { new_input } => {
            let rewrite = Some(Rewrite::Replace(Json::from_value(&new_input)));
            Answer { rewrite, ..Answer::default() }
        }
    }
}
