//! Placeholder for the store in a program that is built without it.

use super::{question::Kv, reply::Reply};
use crate::{left_out::left_out, sandbox::store::State};

#[expect(clippy::unused_async, reason = "as that which it stands for")]
pub(super) async fn answer_question(state: &mut State, _: Kv) -> wasmtime::Result<Reply> {
    state.host_calls.begin_call(super::TEXT, 0)?;
    Ok(Reply::from_error("not-granted", &left_out("what plugins keep", "kv")))
}
