//! `hookbox trust` and `hookbox untrust`: the user reviews the hooks of a project, and decides which are trusted.

mod agent_project_hooks;
mod page;
pub(super) mod text;

use std::path::{Path, PathBuf};

use hookbox::{
    config::{did_you_mean, quote_word},
    hookfile::{Problem, Severity},
};
use hookbox_app::{
    places::Places,
    project_trust::{Candidate, TrustStatus},
    trust_candidates,
    trusted_hooks::{TrustStore, TrustedHook},
};

use self::text::ShownLength;
use super::user_presence;
use crate::{
    args::{TrustArgs, TrustCommand, UntrustArgs},
    diagnostic, environment,
    exit::ExitStatus,
    printer::{DIM, GOOD, Printer, WARNING},
    report::sanitize_line,
};

/// Number of digits of a digest that identify a hook.
const SHORT: usize = 12;
/// Alternative without a terminal.
const INSTEAD: &str = "`hookbox trust --review` shows the hooks without a question";

pub(super) fn trust_hooks(args: &TrustArgs, printer: &Printer) -> ExitStatus {
    let done = match args.command {
        Some(TrustCommand::List) => list_trusted_hooks(printer),
        None => review_hooks(args, printer),
    };
    report_result(done, printer)
}

pub(super) fn untrust_hooks(args: &UntrustArgs, printer: &Printer) -> ExitStatus {
    report_result(try_untrust(args, printer), printer)
}

fn report_result(done: Result<ExitStatus, String>, printer: &Printer) -> ExitStatus {
    done.unwrap_or_else(|problem| {
        printer.print_error(&sanitize_line(&problem));
        ExitStatus::Usage
    })
}

fn open_store(places: &Places) -> Result<TrustStore, String> {
    TrustStore::of_user(places)
        .ok_or_else(|| "the home folder is unknown, so nothing can be stored; set HOME".to_owned())
}

/// Shows the hooks one by one, and asks about each that waits.
fn review_hooks(args: &TrustArgs, printer: &Printer) -> Result<ExitStatus, String> {
    // A review stores nothing, and its output may go to a pager.
    if !args.review {
        user_presence::require_user("trusted", INSTEAD)?;
    }
    let places = Places::of_terminal(&environment::read_variable);
    let store = open_store(&places)?;
    let folder = super::resolve_project(None)?;
    let found = trust_candidates((&places, &environment::shipped_plugins()), &store, &folder);
    let Some((root, candidates, problems)) = found else { return none_of_ours(&folder, &places, printer) };
    let errors: Vec<Problem> =
        problems.into_iter().filter(|problem| problem.severity == Severity::Error).collect();
    if !errors.is_empty() {
        diagnostic::print_problems(&errors, printer);
        return Err(
            "nothing was trusted: the project's file has errors, so its content is not certain".to_owned()
        );
    }
    let meant = select_candidates(&args.names, &candidates)?;
    printer.print_line(&sanitize_line(&format!(
        "{}: {}",
        root.display(),
        diagnostic::format_count(candidates.len(), "hook")
    )));
    let mut counts = ReviewCounts::default();
    let length = if args.review { ShownLength::Whole } else { ShownLength::Asked };
    for candidate in meant {
        if candidate.standing == TrustStatus::Trusted && !args.review {
            counts.trusted_before += 1;
            continue;
        }
        page::show_candidate(candidate, &store, length, printer);
        if !args.review {
            decide_trust(candidate, (&root, &store), &mut counts, printer)?;
        }
    }
    agent_project_hooks::show_hooks(&root, length, printer);
    if !args.review {
        printer.print_line(&counts.line());
    }
    Ok(ExitStatus::Success)
}

/// Handles a project without hooks for hookbox; agents' own hooks are shown.
fn none_of_ours(folder: &Path, places: &Places, printer: &Printer) -> Result<ExitStatus, String> {
    let nothing = "there is no project with hooks here; go into its folder";
    let root = places.project_root(folder).map_err(|_| nothing)?;
    let root = root.canonicalize().map_err(|_| nothing)?;
    if !agent_project_hooks::show_hooks(&root, ShownLength::Whole, printer) {
        return Err(nothing.to_owned());
    }
    printer.print_line("\nthere are no hooks of hookbox here, so there is nothing to trust");
    Ok(ExitStatus::Success)
}

/// Returns the hooks with these names, or all.
fn select_candidates<'a>(
    names: &[String],
    candidates: &'a [Candidate],
) -> Result<Vec<&'a Candidate>, String> {
    let known: Vec<_> = candidates.iter().map(|candidate| candidate.hook.name.as_str()).collect();
    if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
        let help = did_you_mean(unknown, &known);
        return Err(format!("no hook {} of this project can be trusted; {help}", quote_word(unknown)));
    }
    let is_meant = |candidate: &&Candidate| names.is_empty() || names.contains(&candidate.hook.name);
    Ok(candidates.iter().filter(is_meant).collect())
}

#[derive(Default)]
struct ReviewCounts {
    trusted: usize,
    waiting: usize,
    trusted_before: usize,
}

impl ReviewCounts {
    fn line(&self) -> String {
        let Self { trusted, waiting, trusted_before } = self;
        let before = match trusted_before {
            0 => String::new(),
            count => format!(", {count} as before"),
        };
        format!("trusted {trusted}{before}; {waiting} left as they were")
    }
}

fn decide_trust(
    candidate: &Candidate,
    (root, store): (&Path, &TrustStore),
    counts: &mut ReviewCounts,
    printer: &Printer,
) -> Result<(), String> {
    // The page has shown why it cannot be trusted.
    let Ok(closure) = &candidate.closure else {
        counts.waiting += 1;
        return Ok(());
    };
    let name = sanitize_line(&candidate.hook.name);
    let digest = closure.digest();
    let short = digest.as_str().get(..SHORT).unwrap_or_default();
    let agreed = if page::list_hidden_parts(candidate, store).is_empty() {
        user_presence::ask_yes_no(&format!("Trust `{name}` (sha256:{short}…) as it is shown?"), printer)
    } else {
        // Only a user who had it displayed knows the digest.
        let question = format!(
            "`{name}` is not shown whole here, so a yes does not trust it. In another terminal `hookbox trust --review {name} | less` \
             shows all of it, and its digest: type the first {SHORT} digits of that to trust it, or Enter to leave it:"
        );
        user_presence::confirm_digest(&question, short, printer)
    };
    if agreed {
        // The displayed content is stored: the files are not read again.
        store.trust_hook(root, &candidate.hook.name, closure).map_err(|error| error.to_string())?;
        counts.trusted += 1;
    } else {
        counts.waiting += 1;
    }
    Ok(())
}

fn list_trusted_hooks(printer: &Printer) -> Result<ExitStatus, String> {
    let places = Places::of_terminal(&environment::read_variable);
    let store = open_store(&places)?;
    let mut all = store.load();
    if all.is_empty() {
        printer.print_note("no hook of any project is trusted; `hookbox trust` in a project shows its hooks");
    }
    all.sort_by(|one, other| (&one.root, &one.name).cmp(&(&other.root, &other.name)));
    let (mut root, mut here): (Option<PathBuf>, Vec<Candidate>) = (None, Vec::new());
    for hook in &all {
        if root.as_ref() != Some(&hook.root) {
            printer.print_line(&sanitize_line(&hook.root.display().to_string()));
            here = candidates_in(&hook.root, &places, &store);
            root = Some(hook.root.clone());
        }
        printer.print_line(&format!("  {}  {}", sanitize_line(&hook.name), describe_standing(hook, &here)));
    }
    Ok(ExitStatus::Success)
}

fn candidates_in(root: &Path, places: &Places, store: &TrustStore) -> Vec<Candidate> {
    let found = trust_candidates((places, &environment::shipped_plugins()), store, root);
    // For a folder without hooks, those of a folder above it are found.
    found.filter(|(real, ..)| real == root).map(|(_, candidates, _)| candidates).unwrap_or_default()
}

fn describe_standing(hook: &TrustedHook, here: &[Candidate]) -> String {
    let found = here.iter().find(|candidate| candidate.hook.name == hook.name);
    match found.map(|candidate| &candidate.standing) {
        Some(TrustStatus::Trusted) => format!("{GOOD}is unchanged{GOOD:#}"),
        Some(TrustStatus::Changed(what)) => {
            let what = sanitize_line(what);
            format!("{WARNING}has changed ({what}){WARNING:#}: it is untrusted until `hookbox trust`")
        }
        Some(TrustStatus::New) | None => format!("{DIM}no longer exists{DIM:#}"),
    }
}

/// Revokes trust. Only a user may do so; an agent would get rid of a hook that the user wants.
fn try_untrust(args: &UntrustArgs, printer: &Printer) -> Result<ExitStatus, String> {
    user_presence::refuse_agent("taken back")?;
    let places = Places::of_terminal(&environment::read_variable);
    let store = open_store(&places)?;
    let folder = super::resolve_project(None)?;
    let root = places.project_root(&folder).map_err(|error| error.to_string())?;
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let here: Vec<_> = store.load().into_iter().filter(|hook| hook.root == root).collect();
    let known: Vec<_> = here.iter().map(|hook| hook.name.as_str()).collect();
    if let Some(unknown) = args.names.iter().find(|name| !known.contains(&name.as_str())) {
        let help = if known.is_empty() { "none is".to_owned() } else { did_you_mean(unknown, &known) };
        return Err(format!("no hook {} of {} is trusted; {help}", quote_word(unknown), root.display()));
    }
    let is_meant = |hook: &TrustedHook| hook.root == root && (args.all || args.names.contains(&hook.name));
    let gone = store.remove_matching(is_meant).map_err(|error| error.to_string())?;
    if gone.is_empty() {
        printer.print_note("nothing of this project was trusted");
    }
    for hook in &gone {
        printer.print_line(&format!("no longer trusted: {}", sanitize_line(&hook.name)));
    }
    Ok(ExitStatus::Success)
}
