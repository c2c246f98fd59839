//! hookbox inside a program: a component, a closure and a shell command decide what an agent may do.
//!
//! `cargo run --example embed -- guard.wasm /path/to/hookbox-compile < event.json`

use std::{
    error::Error,
    io::{self, Read, Write},
    path::Path,
};

use hookbox::{
    Callback, CallbackHook, HookSpec, Host, Response, Target,
    agents::ReadContext,
    hook::{ShellSpec, WasmSpec},
    model::{Answer, EventName},
    sandbox::compile::Compiler,
};

/// The answer to an agent's event, whatever the bytes are.
pub(crate) fn answer(plugin: &Path, compiler: &Path, event: Vec<u8>) -> io::Result<Response> {
    let before = || [EventName::ToolBefore];
    let component = HookSpec::new("component", Target::Wasm(WasmSpec::new(plugin))).on(before());
    let command = r#"! grep -q mkfs || echo '{"verdict":"deny","code":"disks","reason":"no disks"}'"#;
    let command = HookSpec::new("command", Target::Shell(ShellSpec::from_line(command))).on(before());
    let closure = Callback::sync(|call| {
        let command = call.event.tool.as_ref().and_then(|tool| tool.command.as_deref()).unwrap_or_default();
        let denies = command.contains("curl");
        Ok(if denies { Answer::deny("network", "no network") } else { Answer::default() })
    });
    let host = Host::builder()
        .compiler(Compiler::Process(compiler.to_owned()))
        .hooks([component, command])
        .callback(CallbackHook::gate("closure", before()), closure)
        .build();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    Ok(runtime.block_on(host.answer(None, event, &ReadContext::default(), None)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(plugin), Some(compiler)) = (arguments.next(), arguments.next()) else {
        return Err("give it a plugin and the program that compiles plugins".into());
    };
    let mut event = Vec::new();
    io::stdin().read_to_end(&mut event)?;
    let response = answer(plugin.as_ref(), compiler.as_ref(), event)?;
    io::stdout().write_all(response.written.stdout.as_bytes())?;
    io::stderr().write_all(response.written.stderr.as_bytes())?;
    std::process::exit(response.written.exit.into())
}
