//! `hookbox plugin list`: lists the shipped and the added plugins, and checks their files.

use std::time::SystemTime;

use hookbox::{
    ShippedPlugin,
    model::Manifest,
    sandbox::inspect::{Identity, identify_file},
};
use hookbox_app::plugin_lock::LockedPlugin;
use hookbox_trust::statement::find_overdue_warning;
use serde_json::{Value, json};

use super::{
    added_plugins::{self, Added, format_path},
    clock::warn_if_set_back,
};
use crate::{
    args::PluginListArgs,
    environment,
    exit::ExitStatus,
    printer::{DIM, ERROR, Printer, WARNING},
    report::{self, sanitize_line},
};

/// A shipped plugin, and the state of its file.
struct Listed {
    plugin: ShippedPlugin,
    /// Its manifest, or the reason why it cannot be called.
    found: Result<Option<Manifest>, String>,
}

pub(super) fn list_plugins(args: &PluginListArgs, printer: &Printer) -> ExitStatus {
    let shipped = environment::shipped_plugins();
    let listed: Vec<_> = shipped.iter().map(Listed::from_shipped).collect();
    let places = super::find_places();
    let homes = added_plugins::find_homes(&places, &environment::current_folder());
    let (added, unread): (Vec<_>, Vec<_>) =
        homes.into_iter().map(|home| Added::read(home, &places)).partition(Result::is_ok);
    let added: Vec<_> = added.into_iter().filter_map(Result::ok).collect();
    for added in &added {
        warn_if_set_back(added, printer);
    }
    if args.json {
        let of_folders =
            added.iter().flat_map(|added| added.lock.iter().map(move |row| row_json(row, added)));
        let listed = listed.iter().map(Listed::json).chain(of_folders).collect();
        printer.print_line(&format!("{:#}", Value::Array(listed)));
    } else {
        for listed in &listed {
            listed.print(printer);
        }
        for added in &added {
            print_added(added, printer);
        }
    }
    for (_, why) in unread.iter().filter_map(|unread| unread.as_ref().err()) {
        printer.print_error(&sanitize_line(why));
    }
    if listed.is_empty() {
        printer.print_error("this hookbox was built without plugins: `cargo xtask build` builds both");
        return ExitStatus::Problems;
    }
    printer.print_note(&format!("in {}", sanitize_line(&shipped.folder().display().to_string())));
    let are_well = unread.is_empty()
        && listed.iter().all(|listed| listed.found.is_ok())
        && added.iter().all(|added| added.lock.iter().all(|row| added.list_problems(row).is_empty()));
    if are_well { ExitStatus::Success } else { ExitStatus::Problems }
}

fn print_added(added: &Added, printer: &Printer) {
    let (whose, folder) = (describe_owner(added), format_path(&added.home.folder()));
    printer.print_line(&format!("{DIM}added to the {whose}'s folder, {folder}:{DIM:#}"));
    for row in added.lock.iter() {
        let called: Vec<_> = row.plugin.iter().chain(&row.version).map(|text| sanitize_line(text)).collect();
        printer.print_line(format!("{}  {}", row.name, called.join(" ")).trim_end());
        let LockedPlugin { file, sha256, source, .. } = row;
        printer.print_line(&format!("    {file}, from {}", sanitize_line(source)));
        printer.print_line(&format!("    sha256 {sha256}"));
        printer.print_line(&format!("    {}", sanitize_line(&added.describe_signer(row))));
        if let Some(hook) = added.find_hook(&row.name) {
            let off =
                if added.loaded.disabled.iter().any(|off| off.name == row.name) { " (disabled)" } else { "" };
            printer.print_line(&format!("    on {}{off}", report::format_events(hook)));
            let grants = hook.grants().names();
            let grants = if grants.is_empty() { "nothing".to_owned() } else { grants.join(", ") };
            printer.print_line(&format!("    granted {}", sanitize_line(&grants)));
        }
        if let Some(late) =
            row.expires.as_deref().and_then(|until| find_overdue_warning(until, SystemTime::now()))
        {
            printer.print_line(&format!("    {WARNING}warning{WARNING:#}: {}", sanitize_line(&late)));
        }
        for doubt in added.list_problems(row) {
            printer.print_line(&format!("    {ERROR}wrong{ERROR:#}: {}", sanitize_line(&doubt)));
        }
    }
}

fn describe_owner(added: &Added) -> &'static str {
    if added.home.project().is_some() { "project" } else { "user" }
}

fn row_json(row: &LockedPlugin, added: &Added) -> Value {
    let hook = added.find_hook(&row.name);
    json!({
        "name": row.name, "from": describe_owner(added), "file": added.locate_file(row), "sha256": row.sha256,
        "plugin": row.plugin, "version": row.version, "seq": row.seq, "source": row.source,
        // A project's own statement does not count.
        "signer": row.signer.as_ref().filter(|_| added.home.project().is_none()).map(|signer| json!({ "principal": signer.principal, "key": signer.key })),
        "expires": row.expires, "on": hook.map(report::format_events), "granted": hook.map(|hook| hook.grants().names()),
        "problems": added.list_problems(row),
    })
}

impl Listed {
    fn from_shipped(plugin: ShippedPlugin) -> Self {
        let found = match identify_file(&plugin.path) {
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
                printer.print_line(&format!("{name}  {}", manifest.version));
                if let Some(description) = &manifest.description {
                    printer.print_line(&format!("    {}", sanitize_line(description)));
                }
            }
            Ok(None) => printer.print_line(name),
            Err(problem) => {
                printer.print_line(&format!("{name}  {ERROR}broken{ERROR:#}: {}", sanitize_line(problem)));
            }
        }
    }

    fn json(&self) -> Value {
        let ShippedPlugin { name, path, sha256 } = &self.plugin;
        let manifest = self.found.as_ref().ok().and_then(Option::as_ref);
        json!({
            "name": name, "from": "hookbox", "file": path, "sha256": sha256.as_str(),
            "version": manifest.map(|manifest| manifest.version.to_string()),
            "description": manifest.and_then(|manifest| manifest.description.as_ref()),
            "problem": self.found.as_ref().err(),
        })
    }
}
