//! An expression as a list of steps.

use super::{MAX_STEPS, RegexError, parse::Node, units::Units};

/// A step of a search. Places are offsets into the list.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Consumes one unit, before the current position if `back`.
    Unit {
        units: Units,
        back: bool,
    },
    Start,
    End,
    Boundary {
        negated: bool,
    },
    /// Lookaround: the steps up to its `Found` are searched from here; then matching continues at `next`.
    Look {
        negated: bool,
        next: usize,
    },
    /// Continues at both steps.
    Split(usize, usize),
    Jump(usize),
    Found,
}

pub(super) fn compile_steps(node: &Node) -> Result<Vec<Step>, RegexError> {
    let mut steps = Steps(Vec::new());
    steps.add_node(node, false)?;
    steps.push_step(Step::Found)?;
    Ok(steps.0)
}

struct Steps(Vec<Step>);

impl Steps {
    fn push_step(&mut self, step: Step) -> Result<usize, RegexError> {
        // Nested counted repetitions multiply: `((a{99}){99}){99}` has nearly a million steps.
        if self.0.len() >= MAX_STEPS {
            return Err(RegexError::Unsupported("its repetitions make it too large"));
        }
        self.0.push(step);
        Ok(self.0.len() - 1)
    }

    fn set_step(&mut self, at: usize, step: Step) {
        if let Some(place) = self.0.get_mut(at) {
            *place = step;
        }
    }

    fn add_node(&mut self, node: &Node, back: bool) -> Result<(), RegexError> {
        match node {
            Node::Unit(units) => self.push_step(Step::Unit { units: units.clone(), back }).map(drop),
            Node::Start => self.push_step(Step::Start).map(drop),
            Node::End => self.push_step(Step::End).map(drop),
            Node::Boundary { negated } => self.push_step(Step::Boundary { negated: *negated }).map(drop),
            Node::Look { behind, negated, body } => self.add_look(*behind, *negated, body),
            // A lookbehind matches from its end backwards, as JavaScript does.
            Node::Sequence(parts) if back => {
                parts.iter().rev().try_for_each(|part| self.add_node(part, back))
            }
            Node::Sequence(parts) => parts.iter().try_for_each(|part| self.add_node(part, back)),
            Node::Either(choices) => self.add_choices(choices, back),
            Node::Repeat { body, least, most } => self.add_repeat(body, (*least, *most), back),
        }
    }

    fn add_look(&mut self, behind: bool, negated: bool, body: &Node) -> Result<(), RegexError> {
        // A placeholder: the step needs the place behind the body, which is not written yet.
        let look = self.push_step(Step::Found)?;
        self.add_node(body, behind)?;
        self.push_step(Step::Found)?;
        self.set_step(look, Step::Look { negated, next: self.0.len() });
        Ok(())
    }

    fn add_choices(&mut self, choices: &[Node], back: bool) -> Result<(), RegexError> {
        let mut ends = Vec::new();
        for (at, choice) in choices.iter().enumerate() {
            if at + 1 == choices.len() {
                self.add_node(choice, back)?;
                break;
            }
            let split = self.push_step(Step::Found)?;
            self.add_node(choice, back)?;
            ends.push(self.push_step(Step::Found)?);
            self.set_step(split, Step::Split(split + 1, self.0.len()));
        }
        let end = self.0.len();
        for at in ends {
            self.set_step(at, Step::Jump(end));
        }
        Ok(())
    }

    fn add_repeat(
        &mut self,
        body: &Node,
        (least, most): (u32, Option<u32>),
        back: bool,
    ) -> Result<(), RegexError> {
        for _ in 0..least {
            let before = self.0.len();
            self.add_node(body, back)?;
            // Repeating an empty part stays empty.
            if self.0.len() == before {
                return Ok(());
            }
        }
        let Some(most) = most else {
            let split = self.push_step(Step::Found)?;
            self.add_node(body, back)?;
            self.push_step(Step::Jump(split))?;
            self.set_step(split, Step::Split(split + 1, self.0.len()));
            return Ok(());
        };
        let mut splits = Vec::new();
        for _ in least..most {
            splits.push(self.push_step(Step::Found)?);
            self.add_node(body, back)?;
        }
        let end = self.0.len();
        for at in splits {
            self.set_step(at, Step::Split(at + 1, end));
        }
        Ok(())
    }
}
