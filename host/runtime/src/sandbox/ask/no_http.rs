//! Placeholder for requests in a program that is built without them.

use super::{question::HttpRequest, reply::Reply};
use crate::{left_out::left_out, sandbox::store::State};

#[expect(clippy::unused_async, reason = "as that which it stands for")]
pub(super) async fn answer_request(state: &mut State, _: HttpRequest) -> wasmtime::Result<Reply> {
    state.host_calls.begin_call(super::TEXT, 0)?;
    Ok(Reply::from_error("refused", &left_out("HTTP for plugins", "guest-http")))
}
