//! The vocabulary of hookbox, in the order in which an event meets it.
//!
//! | term | type |
//! |---|---|
//! | an action of an agent, before or after it happens | [`Event`], named by [`EventName`] |
//! | JSON text that was checked once and is passed on untouched | [`Json`] |
//! | role of a hook, and effect of its failure | [`Role`], [`OnFailure`] |
//! | trust in a hook's origin | [`TrustLevel`], the ceiling on its [`Effects`] |
//! | limits of one call | [`Limits`] |
//! | capabilities granted to a sandboxed hook | [`Grants`] |
//! | a plugin's description and requested capabilities | [`Manifest`], [`RequestedGrants`] |
//! | answer of one handler | [`Answer`] with a [`Verdict`], or the [`ProfileName`] of a confinement |
//! | outcome of the whole chain | [`Outcome`] with a [`HookReport`] per hook |
//! | facts about the command line of an event | [`ShellFacts`] |
//! | serialised form of these values | [`Record`] |
//!
//! Nothing here reads files, the clock or the environment, and nothing knows wasm or any agent's field names.

mod words;

mod answer;
mod effect;
mod event;
mod event_name;
mod facts;
mod grants;
mod json;
mod layer;
mod limits;
mod manifest;
mod members;
mod merge_patch;
mod on_failure;
mod outcome;
mod profile_name;
mod proposal;
mod record;
mod refusal;
mod rewritable;
mod role;
mod text;

pub use answer::{Answer, Reason, Rewrite, Verdict};
pub use effect::{Effect, Effects, TrustLevel};
pub use event::{Event, ToolCall, ToolClass};
pub use event_name::{EventMoment, EventName, EventTraits};
pub use facts::{
    FactWord, FactsError, HostContact, MAX_FACTS_BYTES, PathAccess, PathUse, ShellFacts, ShellLanguage,
    SimpleCommand, Undetermined, UnknownReason,
};
pub use grants::{
    AddressRange, Folder, GrantError, Grants, HttpHost, HttpRule, HttpScheme, HttpTarget, KvGrant, PROJECT,
    RequestedFolders, RequestedGrants, RequestedHttp, Scope, Secret, is_public,
};
pub use json::{Json, JsonError, JsonErrorKind, MAX_JSON_DEPTH, RawObject, trim_as_javascript};
pub use layer::Layer;
pub use limits::{Limit, LimitError, Limits};
pub use manifest::{MAX_MANIFEST_BYTES, Manifest, PluginEvents, PluginName};
pub use members::ManifestError;
pub use on_failure::OnFailure;
pub use outcome::{
    Exit, Failure, FailureCode, HandlerKind, HookReport, Labelled, LogLevel, LogLine, Outcome, PluginId,
    ProcessResult, Start, Status, Unreviewed, Usage,
};
pub use profile_name::ProfileName;
pub use proposal::{Proposal, Proposals};
pub use record::{MAX_RECORD_BYTES, RECORD_VERSION, Record, RecordError, RecordErrorKind};
pub use refusal::CapabilityRefusal;
pub use rewritable::{Rewritable, RewriteError};
pub use role::Role;
pub use semver::Version;
pub use text::{MAX_LINE_CHARS, MAX_TEXT_CHARS, OneLine, bounded_text, is_visible};
