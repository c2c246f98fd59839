//! Switches that turn hooks off: those of the user's own files, for hooks of projects, and those that `hookbox disable` stores,
//! for these and for the user's own. The administrator's hooks cannot be switched off.
//!
//! The command keeps its switches in a file of its own in the state folder. The user's file belongs to the user: a program that
//! writes into it would have to preserve comments and order, and it has no syntax for "until tomorrow".

use std::{
    fmt,
    io::{self, Read},
    path::{Path, PathBuf},
    time::Duration,
};

use hookbox::{
    Clock, HookSpec,
    hookfile::{Loaded, ProjectSwitches},
    model::Layer,
};
use hookbox_platform::file::{self, FileKind, FileStatus};
use serde::{Deserialize, Serialize};

use crate::state_file::{self, WriteError};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Maximum number of stored switches; the oldest is dropped first.
const MOST: usize = 1_000;

/// A switch that `hookbox disable` stores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// The project's folder; `None` for every project.
    pub project: Option<PathBuf>,
    /// The hook; `None` for all hooks of projects.
    pub hook: Option<String>,
    /// True for a hook of the user's own file, false for one of a project.
    #[serde(default)]
    pub own: bool,
    /// Expiry, in milliseconds since the Unix epoch; `None` until it is switched on again.
    pub until: Option<u64>,
}

impl Switch {
    /// Returns true if both switches are about the same hooks, regardless of the time.
    pub fn is_about(&self, other: &Self) -> bool {
        (&self.project, &self.hook, self.own) == (&other.project, &other.hook, other.own)
    }

    /// Returns true if the switch applies to events in this folder.
    pub fn holds_for(&self, folder: &Path) -> bool {
        self.project.as_ref().is_none_or(|project| is_within(folder, project))
    }

    fn is_of(&self, hook: &str) -> bool {
        self.hook.as_deref() == Some(hook)
    }

    fn is_over(&self, now: u64) -> bool {
        self.until.is_some_and(|until| until <= now)
    }

    fn by(&self) -> OffBy {
        let now = Clock::machine().now_ms();
        OffBy::Command(self.until.map(|until| Duration::from_millis(until.saturating_sub(now))))
    }
}

/// The switch that turns off a hook, or all hooks of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OffBy {
    /// The user's own file, at this place of it.
    File(String),
    /// `hookbox disable`: for this long, or until it is switched on again.
    Command(Option<Duration>),
}

impl fmt::Display for OffBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(place) => f.write_str(place),
            Self::Command(Some(left)) => {
                write!(f, "`hookbox disable`, for {} min more", left.as_secs().div_ceil(60))
            }
            Self::Command(None) => f.write_str("`hookbox disable`, until `hookbox enable`"),
        }
    }
}

pub(crate) struct Switches<'a> {
    configured: Vec<&'a ProjectSwitches>,
    kept: Vec<Switch>,
}

impl<'a> Switches<'a> {
    /// Returns the switches of these layers, and the stored ones.
    pub(crate) fn from_layers(layers: impl IntoIterator<Item = &'a Loaded>, kept: Vec<Switch>) -> Self {
        let configured = layers.into_iter().map(|layer| &layer.projects).collect();
        Self { configured, kept }
    }

    /// Returns the switch that turns off all hooks of the project in this folder.
    pub(crate) fn find_off(&self, root: &Path) -> Option<OffBy> {
        let configured =
            self.configured.iter().find_map(|switches| switches.find_off(|path| is_within(root, path)));
        let all = |switch: &Switch| switch.hook.is_none() && !switch.own && switch.holds_for(root);
        let kept = || self.find_longest_switch(all);
        configured.map(|place| OffBy::File(place.to_owned())).or_else(|| kept().map(Switch::by))
    }

    /// Returns the switch that turns off this hook of the user's own file for events in this folder.
    pub(crate) fn disables_own(&self, hook: &str, folder: &Path) -> Option<OffBy> {
        let meant = |switch: &Switch| switch.own && switch.is_of(hook) && switch.holds_for(folder);
        self.find_longest_switch(meant).map(Switch::by)
    }

    /// Returns the switch that turns off this hook of the project in this folder.
    pub(crate) fn find_disabling(&self, hook: &str, root: &Path) -> Option<OffBy> {
        let by_file = |switches: &&ProjectSwitches| {
            let place = switches.find_disabling(hook, |path| is_within(root, path))?;
            Some(OffBy::File(place.to_owned()))
        };
        let kept = |switch: &Switch| !switch.own && switch.is_of(hook) && switch.holds_for(root);
        let configured = self.configured.iter().find_map(by_file);
        configured.or_else(|| self.find_longest_switch(kept).map(Switch::by))
    }

    /// Returns the switch that turns off this hook for events in `folder`.
    pub(crate) fn of_hook(&self, hook: &HookSpec, folder: &Path) -> Option<OffBy> {
        match hook.origin.layer {
            Layer::Project => self.find_disabling(&hook.name, folder),
            Layer::User => self.disables_own(&hook.name, folder),
            // The administrator's hooks stay, and a session's are passed anew each time.
            Layer::Managed | Layer::Session => None,
        }
    }

    /// Returns the matching stored switch that lasts longest: until then no hook runs.
    fn find_longest_switch(&self, is_meant: impl Fn(&Switch) -> bool) -> Option<&Switch> {
        let meant = self.kept.iter().filter(|switch| is_meant(switch));
        meant.max_by_key(|switch| switch.until.unwrap_or(u64::MAX))
    }

    /// Removes the hooks of a layer that are switched off for `folder`: for a project's layer, the project's folder.
    pub(crate) fn apply_to(&self, folder: &Path, mut layer: Loaded) -> Loaded {
        let is_off = |hook: &HookSpec| self.of_hook(hook, folder).is_some();
        let (off, on) = layer.hooks.into_iter().partition(is_off);
        layer.hooks = on;
        layer.disabled.extend::<Vec<HookSpec>>(off);
        layer
    }
}

/// Returns true if the project is in this folder, or below it, by any of the folder's names.
fn is_within(root: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    root.starts_with(folder)
        || real(root).zip(real(folder)).is_some_and(|(root, folder)| root.starts_with(folder))
}

/// Loads the switches of this file that have not expired. A file that is damaged, or that others could have written, counts as
/// empty: hooks run again, which only makes things stricter.
pub fn load_switches(file: &Path) -> Vec<Switch> {
    let mut switches: Vec<Switch> =
        read_private(file).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let now = Clock::machine().now_ms();
    switches.retain(|switch| !switch.is_over(now));
    switches
}

fn read_private(path: &Path) -> io::Result<Vec<u8>> {
    let (mut text, file) = (Vec::new(), file::open(path)?);
    let status = FileStatus::of_file(&file)?;
    // A switch turns a guard off, so no other user may write one into this file.
    if status.kind != FileKind::Plain || !status.is_own() || status.is_written_by_others() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // A truncated file is invalid JSON.
    file.take(MAX_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// Stores exactly these switches; the last 1000 of them, if there are more.
///
/// # Errors
///
/// The file cannot be written; it is unchanged.
pub fn save_switches(file: &Path, switches: &[Switch]) -> Result<(), WriteError> {
    let youngest = switches.get(switches.len().saturating_sub(MOST)..).unwrap_or_default();
    let text = serde_json::to_vec(youngest).map_err(io::Error::from);
    let written = text.and_then(|text| state_file::replace_file(file, &text));
    written.map_err(|error| WriteError { file: file.to_owned(), error })
}

#[cfg(test)]
mod tests {
    use hookbox::{
        ShippedPlugins, Target,
        hook::ShellSpec,
        hookfile::Source,
        model::{EventName, TrustLevel},
    };

    use super::*;

    fn parse_file(text: &str) -> Loaded {
        let (layer, plugins) = (Layer::User, ShippedPlugins::default());
        let text = text.to_owned();
        hookbox::config::load(
            &Source { layer, trust_level: TrustLevel::Own, file: None, root: None, plugins, text },
            &[],
        )
    }

    #[test]
    fn no_switch_is_for_the_administrators_hooks_whatever_its_words() {
        let files = ["[projects]\nhooks = false\n", "[[project]]\npath = \"/p\"\ndisable = [\"policy\"]\n"]
            .map(parse_file);
        assert_eq!(files.each_ref().map(|file| file.problems.len()), [0, 0]);
        let kept = [None, Some("policy".to_owned())].into_iter().flat_map(|hook| {
            [true, false].map(|own| Switch { project: None, hook: hook.clone(), own, until: None })
        });
        let switches = Switches::from_layers(&files, kept.collect());
        for (layer, is_on) in
            [(Layer::Managed, true), (Layer::User, false), (Layer::Project, false), (Layer::Session, true)]
        {
            let mut hook = HookSpec::new("policy", Target::Shell(ShellSpec::from_line("true")))
                .on([EventName::ToolBefore]);
            hook.origin.layer = layer;
            let loaded = Loaded { hooks: vec![hook], ..Loaded::default() };
            let left = switches.apply_to(Path::new("/p"), loaded);
            assert_eq!((left.hooks.len() == 1, left.disabled.is_empty()), (is_on, is_on), "{layer}");
        }
    }
}
