//! `hookbox plugin list`: the plugins that come with hookbox, and whether their files are those that it was built with.

use hookbox::{
    ShippedPlugin,
    model::Manifest,
    sandbox::inspect::{Identity, identify},
};
use serde_json::{Value, json};

use crate::{
    args::PluginListArgs,
    environment,
    exit::ExitStatus,
    printer::{ERROR, Printer},
    report::plain,
};

/// One of them, and what its file is.
struct Listed {
    plugin: ShippedPlugin,
    /// What it says of itself, or why it cannot be called.
    found: Result<Option<Manifest>, String>,
}

pub(super) fn list(args: &PluginListArgs, printer: &Printer) -> ExitStatus {
    let shipped = environment::shipped_plugins();
    let listed: Vec<_> = shipped.iter().map(Listed::look).collect();
    if args.json {
        let listed = listed.iter().map(Listed::json).collect();
        printer.line(&format!("{:#}", Value::Array(listed)));
    } else {
        for listed in &listed {
            listed.print(printer);
        }
    }
    if listed.is_empty() {
        printer.error("this hookbox was built without plugins: `cargo xtask build` builds both");
        return ExitStatus::Problems;
    }
    printer.note(&format!("in {}", plain(&shipped.folder().display().to_string())));
    if listed.iter().all(|listed| listed.found.is_ok()) { ExitStatus::Success } else { ExitStatus::Problems }
}

impl Listed {
    fn look(plugin: ShippedPlugin) -> Self {
        let found = match identify(&plugin.path) {
            Ok(Identity { sha256, .. }) if sha256 != plugin.sha256.as_str() => Err(format!(
                "it is another file than the one that this hookbox was built with (SHA-256 {sha256}); install hookbox \
                 again"
            )),
            Ok(Identity { manifest, .. }) => manifest.map_err(|failure| failure.message),
            Err(failure) => Err(format!("{}; install hookbox again", failure.message)),
        };
        Self { plugin, found }
    }

    fn print(&self, printer: &Printer) {
        let name = self.plugin.name;
        match &self.found {
            Ok(Some(manifest)) => {
                printer.line(&format!("{name}  {}", manifest.version));
                if let Some(description) = &manifest.description {
                    printer.line(&format!("    {}", plain(description)));
                }
            }
            Ok(None) => printer.line(name),
            Err(problem) => printer.line(&format!("{name}  {ERROR}broken{ERROR:#}: {}", plain(problem))),
        }
    }

    fn json(&self) -> Value {
        let ShippedPlugin { name, path, sha256 } = &self.plugin;
        let manifest = self.found.as_ref().ok().and_then(Option::as_ref);
        json!({
            "name": name, "file": path, "sha256": sha256.as_str(),
            "version": manifest.map(|manifest| manifest.version.to_string()),
            "description": manifest.and_then(|manifest| manifest.description.as_ref()),
            "problem": self.found.as_ref().err(),
        })
    }
}
