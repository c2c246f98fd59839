//! Positions of nodes in a YAML text.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError};

use super::super::SettingsError;

/// Maximum nesting of lists and mappings.
const MAX_DEPTH: usize = 64;

/// A text, its parser events, and their tree.
pub(super) struct Outline<'a> {
    pub(super) text: &'a str,
    pub(super) events: Vec<Event<'a>>,
    root: Option<Node>,
}

pub(super) struct Node {
    /// Byte range, including a preceding anchor or tag.
    pub(super) at: Range<usize>,
    pub(super) events: Range<usize>,
    /// 0 without an anchor.
    pub(super) anchor: usize,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    Text { text: String, style: ScalarStyle, is_tagged: bool },
    Alias,
    List { items: Vec<Node>, is_flow: bool },
    Mapping { members: Vec<(Node, Node)>, is_flow: bool },
}

impl<'a> Outline<'a> {
    pub(super) fn from_text(text: &'a str) -> Result<Self, SettingsError> {
        // The parser counts characters, and the text is changed by bytes.
        let mut places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
        places.push(text.len());
        let place = |index: usize| places.get(index).copied().unwrap_or(text.len());
        let (mut events, mut spans) = (Vec::new(), Vec::new());
        for event in Parser::new_from_str(text) {
            let (event, span) = event.map_err(|error| make_syntax_error(&error))?;
            events.push(event);
            spans.push(place(span.start.index())..place(span.end.index()));
        }
        let documents = events.iter().filter(|event| matches!(event, Event::DocumentStart(_))).count();
        // Python's `safe_load` fails for a second document, so the proxy does not start.
        if documents > 1 {
            return Err(SettingsError::Documents);
        }
        let mut builder = Builder { text, events: &events, spans: &spans, next: 0 };
        let root = builder.build_root()?;
        Ok(Self { text, events, root })
    }

    /// Returns the value of the single document, if there is a document.
    pub(super) fn root(&self) -> Option<&Node> {
        self.root.as_ref()
    }

    /// Returns true if aliases refer to this value.
    pub(super) fn is_aliased(&self, node: &Node) -> bool {
        node.anchor > 0
            && self.events.iter().any(|event| matches!(event, Event::Alias(id) if *id == node.anchor))
    }

    /// Returns true if the last text is a block scalar (`|` or `>`).
    pub(super) fn ends_in_block(&self) -> bool {
        let mut styles = self.events.iter().rev().filter_map(|event| match event {
            Event::Scalar(_, style, ..) => Some(*style),
            _ => None,
        });
        matches!(styles.next(), Some(ScalarStyle::Literal | ScalarStyle::Folded))
    }

    pub(super) fn line_break(&self) -> &'static str {
        match self.text.find('\n') {
            // New lines get the line break of the file, so that no diff shows a mixture.
            Some(at) if self.text.get(..at).is_some_and(|before| before.ends_with('\r')) => "\r\n",
            _ => "\n",
        }
    }

    pub(super) fn line_start(&self, place: usize) -> usize {
        self.text.get(..place).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1)
    }

    /// Returns the start of the line after the one at this position, or the end.
    pub(super) fn line_after(&self, place: usize) -> usize {
        let rest = self.text.get(place..).unwrap_or_default();
        rest.find('\n').map_or(self.text.len(), |at| place + at + 1)
    }

    /// Returns the text before this position in its line.
    pub(super) fn text_before(&self, place: usize) -> &'a str {
        self.text.get(self.line_start(place)..place).unwrap_or_default()
    }

    /// Returns the text after this position in its line, without the line break.
    pub(super) fn text_after(&self, place: usize) -> &'a str {
        self.text.get(place..self.line_after(place)).unwrap_or_default().trim_end_matches(['\r', '\n'])
    }
}

impl Node {
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns true if the value is absent, without even a word for null.
    pub(super) fn is_missing(&self) -> bool {
        self.at.is_empty() && self.text() == Some("")
    }

    /// Returns true if the value is null, written or absent.
    pub(super) fn is_null(&self) -> bool {
        matches!(&self.kind, Kind::Text { text, style: ScalarStyle::Plain, .. }
            if matches!(text.as_str(), "" | "~" | "null" | "Null" | "NULL"))
    }

    /// Returns true if the value has double quotes, as in JSON.
    pub(super) fn is_quoted(&self) -> bool {
        matches!(self.kind, Kind::Text { style: ScalarStyle::DoubleQuoted, .. })
    }

    pub(super) fn members(&self) -> &[(Node, Node)] {
        match &self.kind {
            Kind::Mapping { members, .. } => members,
            _ => &[],
        }
    }

    pub(super) fn has_member(&self, key: &str) -> bool {
        self.members().iter().any(|(name, _)| name.text() == Some(key))
    }

    /// Returns the index of the member with this key; an error if two have it.
    pub(super) fn find_member(&self, key: &str) -> Result<Option<usize>, SettingsError> {
        let mut found = self.members().iter().enumerate().filter(|(_, (name, _))| name.text() == Some(key));
        let first = found.next().map(|(at, _)| at);
        if found.next().is_some() { Err(SettingsError::Twice(key.to_owned())) } else { Ok(first) }
    }
}

/// Returns true if the text is a bracket or brace, after an anchor or a tag at most.
fn opens_flow(written: &str) -> bool {
    let mut words = written.split_whitespace().skip_while(|word| word.starts_with(['&', '!']));
    words.next().is_some_and(|word| word.starts_with(['[', '{']))
}

fn make_syntax_error(error: &ScanError) -> SettingsError {
    let (line, column) = (error.marker().line(), error.marker().col() + 1);
    SettingsError::Syntax { line, column, problem: error.info().to_owned() }
}

struct Builder<'a, 'b> {
    text: &'a str,
    events: &'b [Event<'a>],
    spans: &'b [Range<usize>],
    next: usize,
}

impl Builder<'_, '_> {
    fn build_root(&mut self) -> Result<Option<Node>, SettingsError> {
        let start = self.events.iter().position(|event| matches!(event, Event::DocumentStart(_)));
        let Some(start) = start else { return Ok(None) };
        self.next = start + 1;
        self.build_node(0)
    }

    /// Returns the next value; `None` at the end of a list or mapping.
    fn build_node(&mut self, depth: usize) -> Result<Option<Node>, SettingsError> {
        // The tree is built recursively.
        if depth > MAX_DEPTH {
            return Err(SettingsError::Deep);
        }
        let first = self.next;
        let (Some(event), Some(span)) = (self.events.get(first), self.spans.get(first).cloned()) else {
            return Ok(None);
        };
        self.next += 1;
        let is_flow = self.text.get(span.clone()).is_some_and(opens_flow);
        let (anchor, kind) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let text = text.clone().into_owned();
                (*anchor, Kind::Text { text, style: *style, is_tagged: tag.is_some() })
            }
            Event::Alias(_) => (0, Kind::Alias),
            Event::SequenceStart(anchor, _) => {
                (*anchor, Kind::List { items: self.build_nodes(depth)?, is_flow })
            }
            Event::MappingStart(anchor, _) => {
                let mut nodes = self.build_nodes(depth)?.into_iter();
                let members = std::iter::from_fn(|| nodes.next().zip(nodes.next())).collect();
                (*anchor, Kind::Mapping { members, is_flow })
            }
            _ => return Ok(None),
        };
        let at = self.find_range(&kind, is_flow, span);
        Ok(Some(Node { at, events: first..self.next, anchor, kind }))
    }

    fn build_nodes(&mut self, depth: usize) -> Result<Vec<Node>, SettingsError> {
        std::iter::from_fn(|| self.build_node(depth + 1).transpose()).collect()
    }

    /// Returns the range of a value: one without brackets ends with its last element, and none ends with a line break.
    fn find_range(&self, kind: &Kind, is_flow: bool, span: Range<usize>) -> Range<usize> {
        let last = match kind {
            Kind::List { items, .. } => items.last(),
            Kind::Mapping { members, .. } => members.last().map(|(_, value)| value),
            Kind::Text { .. } | Kind::Alias => None,
        };
        let closing = self.next.checked_sub(1).and_then(|closing| self.spans.get(closing));
        let end = match (last, closing) {
            // The parser counts blanks and a comment behind the bracket with it.
            (_, Some(closing)) if is_flow => closing.start + 1,
            (Some(last), _) => last.at.end.max(span.start),
            _ => self.text.get(..span.end).map_or(span.end, |until| until.trim_end().len()),
        };
        span.start.min(end)..end
    }
}
