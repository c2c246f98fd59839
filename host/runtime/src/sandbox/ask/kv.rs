//! Questions about the store.

use super::{
    question::Kv,
    reply::{Reply, text_or_base64},
};
use crate::sandbox::{
    bindings::hookbox::hook::kv::{Error, Host, Scope},
    store::State,
};

pub(super) async fn answer_question(state: &mut State, question: Kv) -> wasmtime::Result<Reply> {
    let value = match question {
        Kv::Get { scope, key } => {
            let found = Host::get(state, scope.into(), key).await?;
            found.map(|value| {
                value.map_or_else(Reply::without_value, |value| Reply::from_value(text_or_base64(value)))
            })
        }
        Kv::Set { scope, key, value } => {
            Host::set(state, scope.into(), key, value.0).await?.map(|()| Reply::without_value())
        }
        Kv::Delete { scope, key } => {
            Host::delete(state, scope.into(), key).await?.map(|()| Reply::without_value())
        }
        Kv::Keys { scope, prefix } => Host::keys(state, scope.into(), prefix).await?.map(Reply::from_value),
        Kv::Increment { scope, key, by } => {
            Host::increment(state, scope.into(), key, by).await?.map(Reply::from_value)
        }
        Kv::Swap { scope, key, old, new } => {
            let old = old.map(|old| old.0);
            Host::swap(state, scope.into(), key, old, new.0).await?.map(Reply::from_value)
        }
    };
    Ok(value.unwrap_or_else(error_reply))
}

fn error_reply(error: Error) -> Reply {
    let (word, text) = match error {
        Error::NotGranted => {
            ("not-granted", "the hook has no grant for this scope; the call's report has the line to add")
        }
        Error::NoPlace => ("no-place", "the event does not tell its session, or a folder that is there"),
        Error::BadSize => ("bad-size", "a key has 1 to 256 bytes, a value 64 KiB at most"),
        Error::Quota => ("quota", "the entries of the scope would be larger than the grant's quota"),
        Error::NotANumber => {
            ("not-a-number", "the value is not a 64-bit integer, or the result would overflow")
        }
        Error::Busy => ("busy", "others kept the store to themselves for too long; ask again"),
    };
    Reply::from_error(word, text)
}

impl From<hookbox_model::Scope> for Scope {
    fn from(scope: hookbox_model::Scope) -> Self {
        match scope {
            hookbox_model::Scope::Session => Self::Session,
            hookbox_model::Scope::Project => Self::Project,
            hookbox_model::Scope::User => Self::User,
        }
    }
}
