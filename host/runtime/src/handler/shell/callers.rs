//! Recursion guard: tracks the shell hooks above this process, to stop a hook that starts itself again: a hook's
//! command may run an agent, and that agent's events would run the hook.
//!
//! Children inherit the list in a variable. Forging it can only make hooks fail, never skip them: a hook in the list
//! fails by its policy, and so does every hook if the list is unreadable.

use hookbox_model::{Failure, FailureCode};

use crate::{digest::hash_parts, interfaces::Environment};

/// Name of the variable: marks of hooks, outermost first, separated by commas.
const CALLERS: &str = "HOOKBOX_CALLERS";
/// Most nested hooks.
const MOST: usize = 8;
/// Bytes of a hash in a mark.
const MARK_BYTES: usize = 8;

/// The hooks under way above this process.
pub(in super::super) struct Callers(Vec<String>);

impl Callers {
    pub(in super::super) fn from_environment(environment: &Environment) -> Self {
        let written = environment.get(CALLERS).filter(|written| !written.is_empty());
        Self(written.map(|written| written.split(',').map(str::to_owned).collect()).unwrap_or_default())
    }

    /// Returns the variable for a child of this hook; a failure if the hook is under way already.
    pub(in super::super) fn variable_for_hook(
        &self,
        hook: &str,
        words: &[String],
    ) -> Result<(&'static str, String), Failure> {
        let mark = compute_mark(hook, words);
        if !self.0.iter().all(|caller| is_mark(caller)) {
            let why = format!("the variable {CALLERS} is not as hookbox sets it: unset it");
            return Err(Failure::new(FailureCode::Loop, &why));
        }
        if self.0.contains(&mark) {
            let why = format!(
                "the hook's own command led to this event, and would be run again and again: let it do nothing that \
                 the hook is for (if nothing of the kind is under way, unset {CALLERS})"
            );
            return Err(Failure::new(FailureCode::Loop, &why));
        }
        if self.0.len() >= MOST {
            let why = format!("{MOST} hooks are under way already, each started by the command of another");
            return Err(Failure::new(FailureCode::Loop, &why));
        }
        let callers: Vec<&str> = self.0.iter().chain([&mark]).map(String::as_str).collect();
        Ok((CALLERS, callers.join(",")))
    }
}

/// Returns the mark, which is equal for equal name and command in any process.
fn compute_mark(hook: &str, words: &[String]) -> String {
    let parts: Vec<_> =
        [hook].into_iter().chain(words.iter().map(String::as_str)).map(str::as_bytes).collect();
    let mut mark = hash_parts(&parts);
    mark.truncate(2 * MARK_BYTES);
    mark
}

fn is_mark(text: &str) -> bool {
    text.len() == 2 * MARK_BYTES && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the variable of a child of the hook `name`, below `callers`.
    fn child_variable(callers: &str, name: &str) -> Result<String, String> {
        let callers = Callers::from_environment(&Environment::from_iter([(CALLERS, callers)]));
        let variable = callers.variable_for_hook(name, &["true".to_owned()]);
        variable.map(|(_, value)| value).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_nested_hook_receives_the_marks_of_its_callers() {
        let (a, b) = (compute_mark("a", &["true".to_owned()]), compute_mark("b", &["true".to_owned()]));
        assert_eq!(child_variable("", "a").unwrap(), a);
        assert_eq!(child_variable(&a, "b").unwrap(), format!("{a},{b}"));
    }

    #[test]
    fn a_hook_below_itself_fails_however_far_above_it_is() {
        let both = child_variable(&child_variable("", "a").unwrap(), "b").unwrap();
        for name in ["a", "b"] {
            assert!(
                child_variable(&both, name)
                    .unwrap_err()
                    .starts_with("loop: the hook's own command led to this event")
            );
        }
    }

    #[test]
    fn another_command_under_the_same_name_is_another_hook() {
        let line = |line: &str| [line.to_owned()];
        assert_ne!(compute_mark("a", &line("true")), compute_mark("a", &line("false")));
        assert_ne!(compute_mark("ab", &line("c")), compute_mark("a", &line("bc")));
    }

    #[test]
    fn hooks_are_not_nested_without_end() {
        let many =
            (0..MOST).map(|at| compute_mark(&at.to_string(), &[String::new()])).collect::<Vec<_>>().join(",");
        let problem = child_variable(&many, "a").unwrap_err();
        assert_eq!(problem, "loop: 8 hooks are under way already, each started by the command of another");
    }

    #[test]
    fn a_variable_that_hookbox_did_not_set_makes_every_hook_fail() {
        for forged in ["x", ",", "0123456789abcdef,", "0123456789ABCDEF", &"0".repeat(1 << 20)] {
            let problem = child_variable(forged, "a").unwrap_err();
            assert_eq!(problem, "loop: the variable HOOKBOX_CALLERS is not as hookbox sets it: unset it");
        }
    }
}
