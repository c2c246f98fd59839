//! The search: every step at every place, each once.

use std::collections::{HashMap, HashSet};

use super::{
    MAX_WORK,
    compile::Step,
    units::{Units, is_word},
};

/// A step, and the current position in the subject.
type State = (usize, usize);

/// Returns whether the expression is found anywhere in `subject`, or takes too long to decide, and the amount of work done.
pub(super) fn find_match(steps: &[Step], subject: &str) -> (bool, usize) {
    // Without the `u` flag JavaScript compares UTF-16 units: `.` matches half of a character beyond the basic
    // plane.
    let subject: Vec<u16> = subject.encode_utf16().collect();
    let mut search =
        Search { steps, subject: &subject, looks: HashMap::new(), visited: HashSet::new(), work: 0 };
    let found = (0..=subject.len()).any(|at| search.reaches_end((0, at)));
    (found || search.is_spent(), search.work)
}

struct Search<'s> {
    steps: &'s [Step],
    subject: &'s [u16],
    /// Results of lookarounds.
    looks: HashMap<State, bool>,
    /// States that lead nowhere regardless of the path, and those of the paths that are being explored.
    visited: HashSet<State>,
    work: usize,
}

impl Search<'_> {
    fn is_spent(&self) -> bool {
        self.work >= MAX_WORK
    }

    /// Returns true if a path leads from this state to the end of the expression, or of the lookaround.
    fn reaches_end(&mut self, from: State) -> bool {
        let (mut open, mut trail) = (vec![from], Vec::new());
        while let Some((step, at)) = open.pop() {
            if self.is_spent() {
                return true;
            }
            self.work += 1;
            // A state that was visited leads nowhere, or is on a path that is still open: a second visit
            // cannot help.
            if !self.visited.insert((step, at)) {
                continue;
            }
            trail.push((step, at));
            match self.steps.get(step) {
                None | Some(Step::Found) => {
                    // The path of each state on the trail leads here, so a later start must be able to visit these states again.
                    for state in &trail {
                        self.visited.remove(state);
                    }
                    return true;
                }
                Some(Step::Split(one, other)) => open.extend([(*other, at), (*one, at)]),
                Some(Step::Jump(next)) => open.push((*next, at)),
                Some(Step::Unit { units, back }) => {
                    open.extend(self.match_unit(units, *back, at).map(|next| (step + 1, next)));
                }
                Some(Step::Look { negated, next }) => {
                    if self.look_around((step + 1, at)) != *negated {
                        open.push((*next, at));
                    }
                }
                Some(Step::Start) if at == 0 => open.push((step + 1, at)),
                Some(Step::End) if at == self.subject.len() => open.push((step + 1, at)),
                Some(Step::Boundary { negated }) if self.is_boundary(at) != *negated => {
                    open.push((step + 1, at));
                }
                Some(Step::Start | Step::End | Step::Boundary { .. }) => {}
            }
        }
        false
    }

    /// Returns the position after the unit here, if it is in the set.
    fn match_unit(&self, units: &Units, back: bool, at: usize) -> Option<usize> {
        let (place, next) = if back { (at.checked_sub(1)?, at.checked_sub(1)?) } else { (at, at + 1) };
        self.subject.get(place).filter(|unit| units.has_unit(**unit)).map(|_| next)
    }

    /// Looks around from here, once.
    fn look_around(&mut self, from: State) -> bool {
        // Without this memory a nested lookaround would be searched again at each position.
        if let Some(seen) = self.looks.get(&from) {
            return *seen;
        }
        let seen = self.reaches_end(from);
        self.looks.insert(from, seen);
        seen
    }

    fn is_boundary(&self, at: usize) -> bool {
        let word = |place: Option<usize>| {
            place.and_then(|place| self.subject.get(place)).is_some_and(|unit| is_word(*unit))
        };
        word(at.checked_sub(1)) != word(Some(at))
    }
}
