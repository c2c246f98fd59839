//! Common parts of readers of hook files in any format: the text, the result, and the problems. The readers of hookbox's configuration
//! and of agents' own files are in other crates.

mod excerpt;
mod found_problem;
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
    source::{MAX_FILE_BYTES, MAX_UNTRUSTED_FILE_BYTES, Source},
    suggest::{did_you_mean, find_nearest, quote_word, shorten_word},
};
pub use self::{excerpt::Lines, found_problem::PlacedProblem, project_switches::ProjectSwitch};
