//! A client of the message bus: it publishes a request, and waits for the response with its correlation id.
//!
//! `cargo run --example bus -- hooks.toml 'rm -rf /'` tells what the hooks of that file say of the command.

use std::{error::Error, path::Path, sync::Arc};

use hookbox::{ShippedPlugins, sandbox::compile::Compiler};
use hookbox_app::{Surroundings, places};
use hookbox_service::{HookSource, Service, bus};
use serde_json::{Value, json};
use tokio::{runtime::Handle, sync::mpsc};

/// The payload of the response to a request with this id.
async fn ask(bus: &dyn bus::Transport, id: &str, event: &str, input: Value) -> Result<Value, Box<dyn Error>> {
    let (sender, mut messages) = mpsc::unbounded_channel();
    let _until_answered = bus.subscribe(Arc::new(move |message| {
        drop(sender.send(serde_json::from_slice::<Value>(message).unwrap_or_default()));
    }));
    let payload = json!({ "eventName": event, "input": input, "correlationId": id });
    bus.publish(&json!({ "type": "HOOK_EXECUTION_REQUEST", "payload": payload }).to_string());
    loop {
        let message = messages.recv().await.ok_or("the bus is gone")?;
        let is_response = message.get("type") == Some(&json!("HOOK_EXECUTION_RESPONSE"));
        if is_response && message.pointer("/payload/correlationId") == Some(&json!(id)) {
            return Ok(message.get("payload").cloned().unwrap_or_default());
        }
    }
}

/// What the hooks of this file say of a command that is about to run.
pub(crate) async fn judged(hooks: &Path, home: &Path, command: &str) -> Result<Value, Box<dyn Error>> {
    let named = places::NamedPlaces { home: Some(home.to_owned()), ..Default::default() };
    let surroundings = Surroundings {
        places: places::Places::of_account(&named),
        shipped: ShippedPlugins::default(),
        program: None,
        compiler: Compiler::None,
        variables: Vec::new(),
        session_folders: Vec::new(),
    };
    let service = Service::builder(surroundings).hooks(HookSource::File(hooks.to_owned())).build();
    let (hooks, bus) =
        (bus::HookBus::builder(service, "example", home).build(), Arc::new(bus::LocalBus::default()));
    hooks.connect(bus.clone(), &Handle::current())?;
    let input = json!({ "tool_name": "run_shell_command", "tool_input": { "command": command } });
    ask(&*bus, "1", "BeforeTool", input).await
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(hooks), Some(command)) = (arguments.next(), arguments.next()) else {
        return Err("give it a file of hooks and a command".into());
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let answer = runtime.block_on(judged(hooks.as_ref(), &std::env::temp_dir(), &command))?;
    Ok(std::io::Write::write_all(&mut std::io::stdout(), format!("{answer:#}\n").as_bytes())?)
}
