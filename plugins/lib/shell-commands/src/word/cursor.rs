//! A place in shell text, and how it moves over joined lines.

/// A place in shell text.
///
/// A backslash before a line break is not part of the text: the shell joins the two lines before it looks for words.
/// So the cursor passes over such joints wherever the shell does, and sees them only where every character stands for
/// itself.
pub(crate) struct Cursor<'a> {
    chars: &'a [char],
    at: usize,
    /// Number of constructs that are open around this place.
    pub(super) depth: usize,
    /// Positions of the joints that were passed over, in order.
    joints: Vec<usize>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(chars: &'a [char]) -> Self {
        Self { chars, at: 0, depth: 0, joints: Vec::new() }
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.chars.get(self.behind_joints(self.at)).copied()
    }

    pub(crate) fn peek_second(&self) -> Option<char> {
        let first = self.behind_joints(self.at);
        self.chars.get(self.behind_joints(first + 1)).copied()
    }

    pub(crate) fn take(&mut self) -> Option<char> {
        self.pass_joints();
        self.take_raw()
    }

    /// The next character where a backslash before a line break is two characters: between single quotes, behind
    /// another backslash.
    pub(crate) fn take_raw(&mut self) -> Option<char> {
        let c = self.peek_raw()?;
        self.at += 1;
        Some(c)
    }

    pub(crate) fn peek_raw(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(crate) fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.take();
        }
    }

    /// Back to a position that `position` gave.
    pub(crate) fn rewind(&mut self, position: usize) {
        self.at = position.min(self.at);
        while self.joints.last().is_some_and(|joint| *joint >= self.at) {
            self.joints.pop();
        }
    }

    /// The text from a position to `trim` characters before this one, without joints.
    pub(crate) fn text_since(&self, start: usize, trim: usize) -> String {
        let passed = self.joints.partition_point(|joint| *joint < start);
        let mut text: Vec<char> = Vec::new();
        let mut from = start;
        for joint in self.joints.get(passed..).unwrap_or_default() {
            text.extend(self.chars.get(from..*joint).unwrap_or_default());
            from = joint + 2;
        }
        text.extend(self.chars.get(from..self.at).unwrap_or_default());
        text.truncate(text.len().saturating_sub(trim));
        text.into_iter().collect()
    }

    /// Returns the positions of the joints that were passed over.
    pub(crate) fn joints(&self) -> &[usize] {
        &self.joints
    }

    pub(super) fn pass_joints(&mut self) {
        while self.is_joint(self.at) {
            self.joints.push(self.at);
            self.at += 2;
        }
    }

    fn is_joint(&self, at: usize) -> bool {
        self.chars.get(at) == Some(&'\\') && self.chars.get(at + 1) == Some(&'\n')
    }

    fn behind_joints(&self, mut at: usize) -> usize {
        while self.is_joint(at) {
            at += 2;
        }
        at
    }
}
