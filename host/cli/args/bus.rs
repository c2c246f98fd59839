//! `hookbox bus`.

use std::path::PathBuf;

use super::{run::PlaceArgs, source::SourceArgs};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  echo '{\"type\":\"HOOK_EXECUTION_REQUEST\",\"payload\":{\"eventName\":\"BeforeTool\",
    \"input\":{\"tool_name\":\"read_file\",\"tool_input\":{\"path\":\"a\"}},\"correlationId\":\"1\"}}' |
    tr -d '\\n' | hookbox bus

A message is one line of JSON, of at most 32 MiB. Each message gets one response, as soon as it is
ready. Control messages are HOOKBOX_LIST_HOOKS, HOOKBOX_SET_HOOK_ENABLED (`name`, `enabled`) and
HOOKBOX_DISPOSE. The hooks are those for the session's folder.

The command exits at the end of standard input, after it has answered all requests. After a signal
it stops its hooks and exits.

Exit code: 0 at the end of the input, 1 after an input or output error or a signal, 2 for wrong
usage.")]
pub(crate) struct BusArgs {
    /// The session's working folder [default: current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) project: Option<PathBuf>,
    /// The session id [default: generated]
    #[arg(long, value_name = "ID")]
    pub(crate) session: Option<String>,
    /// Write the result of each hook and of each event to standard error, one JSON line each
    #[arg(long)]
    pub(crate) log: bool,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    #[command(flatten)]
    pub(crate) places: PlaceArgs,
}
