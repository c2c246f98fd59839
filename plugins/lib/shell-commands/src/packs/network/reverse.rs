//! Reverse shells: a remote party gets a shell over a connection.

use crate::{
    arg::Arg,
    call::{Call, Grammar, Options},
    wrapper::is_interpreter,
};

/// Text in code of another language that opens a connection.
const CONNECTS: &[&str] = &[
    "connect(",
    "socket.socket(",
    "create_connection(",
    "TCPSocket",
    "TCPServer",
    "fsockopen(",
    "stream_socket_client(",
    "Socket::INET",
    "net.Socket",
    "createConnection(",
    "createServer(",
    "/inet/tcp/",
    "tcp.connect",
];
/// Text in such code that hands the connection to a shell.
const SHELLS: &[&str] =
    &["dup2", "pty.spawn", "/bin/sh", "/bin/bash", "/bin/zsh", "\"sh\"", "'sh'", "sh -i", "cmd.exe"];

/// A shell at the end of a connection: by an option of `nc`, an address of `socat`, or a few lines of another language.
pub(super) fn opens_shell(call: &Call) -> bool {
    match call.name() {
        "nc" | "ncat" | "netcat" | "nc.traditional" | "nc.openbsd" => hands_over(call),
        "socat" => call.args().iter().any(is_network) && call.args().iter().any(is_command),
        "awk" | "gawk" | "mawk" => call.args().iter().any(|arg| {
            let code = arg.plain();
            code.contains("/inet/tcp/") && code.contains("getline")
        }),
        name if is_interpreter(name) => is_shell_code(call),
        _ => false,
    }
}

/// `nc -e PROGRAM`, `ncat --sh-exec TEXT`. `-c` is TLS for some and a command for others.
fn hands_over(call: &Call) -> bool {
    let long = &["exec", "sh-exec", "lua-exec", "wait", "source", "source-port", "proxy", "idle-timeout"];
    let options = Options::parse(call.args(), Grammar { short: "ewpsigIOPqTVXxMmGoc", long, anywhere: true });
    let is_shell = |arg: &Arg| {
        arg.as_str().contains(['/', ' ']) || ["sh", ".exe"].iter().any(|end| arg.as_str().ends_with(end))
    };
    options.given.iter().any(|(name, value)| match name.as_str() {
        "--exec" | "--sh-exec" | "--lua-exec" => true,
        "e" | "c" => value.as_ref().is_some_and(is_shell),
        _ => false,
    })
}

/// Addresses of `socat` that lead to other machines.
fn is_network(arg: &Arg) -> bool {
    let address = arg.as_str().to_lowercase();
    let kind = address.split([':', ',']).next().unwrap_or_default();
    ["tcp", "udp", "sctp", "dccp", "openssl", "ssl", "proxy", "socks", "vsock"]
        .iter()
        .any(|network| kind.starts_with(network))
}

/// Addresses of `socat` that are commands.
fn is_command(arg: &Arg) -> bool {
    let address = arg.as_str().to_lowercase();
    let kind = address.split([':', ',']).next().unwrap_or_default();
    matches!(kind, "exec" | "system" | "shell")
}

fn is_shell_code(call: &Call) -> bool {
    let mut code: String = call.args().iter().map(|arg| arg.plain() + "\n").collect();
    code.extend(call.stdin.text.iter().filter(|_| call.has_stdin).map(String::as_str));
    has(&code, CONNECTS) && has(&code, SHELLS)
}

fn has(code: &str, words: &[&str]) -> bool {
    words.iter().any(|word| code.contains(word))
}
