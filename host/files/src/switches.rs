//! The off switches for hooks that projects bring: those of the user's own files, and those that `hookbox disable` keeps.
//!
//! The command keeps its switches in a file of its own in the state folder. The user's file is the user's: a program that
//! writes into it would have to keep comments and order, and has no place for "until tomorrow".

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
use hookbox_platform::file;
use serde::{Deserialize, Serialize};

use crate::state_file::{self, Unwritten};

/// Largest file that is read, bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Most switches that are kept; the oldest goes first.
const MOST: usize = 1_000;

/// A switch that `hookbox disable` keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// The project's folder; `None` for every project.
    pub project: Option<PathBuf>,
    /// The hook; `None` for all.
    pub hook: Option<String>,
    /// Until when, in milliseconds since the Unix epoch; `None` until it is switched on again.
    pub until: Option<u64>,
}

impl Switch {
    /// Is it about the same hooks, whatever the time?
    pub fn is_about(&self, other: &Self) -> bool {
        (&self.project, &self.hook) == (&other.project, &other.hook)
    }

    fn is_over(&self, now: u64) -> bool {
        self.until.is_some_and(|until| until <= now)
    }

    fn holds_for(&self, root: &Path) -> bool {
        self.project.as_ref().is_none_or(|project| is_within(root, project))
    }

    fn by(&self) -> OffBy {
        let now = Clock::machine().now_ms();
        OffBy::Command(self.until.map(|until| Duration::from_millis(until.saturating_sub(now))))
    }
}

/// By what hooks are switched off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OffBy {
    /// The user's own file, at this place of it.
    File(String),
    /// `hookbox disable`: for so long, or until it is switched on again.
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

/// All that is switched off.
pub(crate) struct Switches<'a> {
    configured: Vec<&'a ProjectSwitches>,
    kept: Vec<Switch>,
}

impl<'a> Switches<'a> {
    /// What these layers say, and what is kept in this file.
    pub(crate) fn of(layers: impl IntoIterator<Item = &'a Loaded>, file: Option<&Path>) -> Self {
        let configured = layers.into_iter().map(|layer| &layer.projects).collect();
        Self { configured, kept: file.map(load).unwrap_or_default() }
    }

    /// By what all hooks of the project in this folder are switched off.
    pub(crate) fn off(&self, root: &Path) -> Option<OffBy> {
        let configured =
            self.configured.iter().find_map(|switches| switches.off(|path| is_within(root, path)));
        let kept = || self.longest(|switch| switch.hook.is_none() && switch.holds_for(root));
        configured.map(|place| OffBy::File(place.to_owned())).or_else(|| kept().map(Switch::by))
    }

    /// By what this hook of the project in this folder is switched off.
    pub(crate) fn disables(&self, hook: &str, root: &Path) -> Option<OffBy> {
        let by_file = |switches: &&ProjectSwitches| {
            let place = switches.disables(hook, |path| is_within(root, path))?;
            Some(OffBy::File(place.to_owned()))
        };
        let kept = |switch: &Switch| switch.hook.as_deref() == Some(hook) && switch.holds_for(root);
        let configured = self.configured.iter().find_map(by_file);
        configured.or_else(|| self.longest(kept).map(Switch::by))
    }

    /// Of the kept ones that are meant the one that lasts longest: until then nothing runs.
    fn longest(&self, is_meant: impl Fn(&Switch) -> bool) -> Option<&Switch> {
        let meant = self.kept.iter().filter(|switch| is_meant(switch));
        meant.max_by_key(|switch| switch.until.unwrap_or(u64::MAX))
    }

    /// Takes the hooks out of a project's layer that are switched off.
    pub(crate) fn apply(&self, root: &Path, mut layer: Loaded) -> Loaded {
        let is_off = |hook: &HookSpec| {
            hook.origin.layer == Layer::Project && self.disables(&hook.name, root).is_some()
        };
        let (off, on) = layer.hooks.into_iter().partition(is_off);
        layer.hooks = on;
        layer.disabled.extend::<Vec<HookSpec>>(off);
        layer
    }
}

/// Is the project in this folder, or below it? Whichever name of the folder is used.
fn is_within(root: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    root.starts_with(folder)
        || real(root).zip(real(folder)).is_some_and(|(root, folder)| root.starts_with(folder))
}

/// The switches of this file that are not over. A damaged file has none: hooks of projects run again, which only makes
/// things stricter.
pub fn load(file: &Path) -> Vec<Switch> {
    let mut switches: Vec<Switch> =
        read(file).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let now = Clock::machine().now_ms();
    switches.retain(|switch| !switch.is_over(now));
    switches
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    // What is cut off is no JSON.
    file::open(path)?.take(MAX_BYTES).read_to_end(&mut text)?;
    Ok(text)
}

/// Keeps these switches, and no others; the last 1000 of them, if there are more.
///
/// # Errors
///
/// The file cannot be written. It is as it was.
pub fn save(file: &Path, switches: &[Switch]) -> Result<(), Unwritten> {
    let youngest = switches.get(switches.len().saturating_sub(MOST)..).unwrap_or_default();
    let text = serde_json::to_vec(youngest).map_err(io::Error::from);
    let written = text.and_then(|text| state_file::replace(file, &text));
    written.map_err(|error| Unwritten { file: file.to_owned(), error })
}
