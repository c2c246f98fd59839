//! Reading a file with hooks, whatever language it is in: the text that is read, what it came to, and what is wrong with
//! it. The configuration and the agents' own files are read by others, which both have this in common.

mod excerpt;
mod found;
mod loaded;
mod problem;
mod project_switches;
mod source;
mod suggest;

pub use self::{
    excerpt::Excerpt,
    loaded::{ChangedHook, Loaded},
    problem::{Problem, Severity},
    project_switches::ProjectSwitches,
    source::{MAX_FILE_BYTES, MAX_UNKNOWN_FILE_BYTES, Source},
    suggest::{help as did_you_mean, nearest, quoted, shortened},
};
pub use self::{excerpt::Lines, found::Found, project_switches::ProjectSwitch};
