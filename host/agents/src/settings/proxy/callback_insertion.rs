//! Determines the place of a new callback, and its form there.

use saphyr_parser::Event;

use super::{
    super::SettingsError,
    CALLBACKS, OriginalForm, SETTINGS,
    change::{Change, format_scalar, make_mapping, make_member, make_scalar},
    outline::{Kind, Node, Outline},
};

type Put = Result<Option<(Change, OriginalForm)>, SettingsError>;

/// Adds the callback after the existing ones; `None` if it is present.
pub(super) fn add_callback(outline: &Outline<'_>, callback: &str) -> Put {
    // Python takes the line break at the end for a part of it, if there is one.
    if outline.ends_in_block() && !outline.text.ends_with('\n') {
        return Err(SettingsError::ByHand(callback.to_owned()));
    }
    let put = Putting { outline, callback };
    let Some(root) = outline.root() else { return Ok(Some((put.add_first(None), OriginalForm::Nothing))) };
    if root.is_missing() {
        return Ok(Some((put.add_first(Some(root)), OriginalForm::Nothing)));
    }
    let Kind::Mapping { members, .. } = &root.kind else {
        return Err(make_kind_error("the file", "a YAML mapping"));
    };
    put.check_own_members(root, SETTINGS)?;
    match root.find_member(SETTINGS)?.and_then(|at| members.get(at)) {
        Some((key, value)) => put.add_to_settings(key, value, is_flow(root)),
        None if is_flow(root) => Ok(Some((put.flow_member(root, SETTINGS, false), OriginalForm::Nothing))),
        None => Ok(Some((put.add_last(root), OriginalForm::Nothing))),
    }
}

struct Putting<'a> {
    outline: &'a Outline<'a>,
    callback: &'a str,
}

impl Putting<'_> {
    /// Adds the callback to an existing `litellm_settings`.
    fn add_to_settings(&self, key: &Node, value: &Node, in_flow: bool) -> Put {
        if value.is_missing() {
            return Ok(Some((self.empty_settings(key, value, in_flow), OriginalForm::EmptySettings)));
        }
        let Kind::Mapping { members, is_flow } = &value.kind else {
            return Err(self.explain_kind(value, SETTINGS, "a mapping"));
        };
        self.check_own_members(value, CALLBACKS)?;
        if let Some((key, callbacks)) = value.find_member(CALLBACKS)?.and_then(|at| members.get(at)) {
            return self.add_to_callbacks(key, callbacks);
        }
        let change = if *is_flow {
            self.flow_member(value, CALLBACKS, key.is_quoted())
        } else {
            self.first_member(key, value)?
        };
        Ok(Some((change, OriginalForm::NoCallbacks)))
    }

    /// Adds the callback to an existing `callbacks`.
    fn add_to_callbacks(&self, key: &Node, value: &Node) -> Put {
        let place = "litellm_settings.callbacks";
        match &value.kind {
            Kind::Text { .. } if value.is_missing() => {
                Ok(Some((self.add_only(key, value), OriginalForm::EmptyCallbacks)))
            }
            Kind::Text { text, is_tagged: false, .. } if !value.is_null() => {
                Ok((text != self.callback).then(|| (self.make_list(value), OriginalForm::OneCallback)))
            }
            Kind::List { items, is_flow } => {
                // An alias elsewhere would get the callback, too.
                self.check_unaliased(value)?;
                if items.iter().any(|item| item.text() == Some(self.callback)) {
                    return Ok(None);
                }
                let change = match items.last() {
                    Some(last) if *is_flow => self.flow_item(value, Some(last), last.is_quoted()),
                    None => self.flow_item(value, None, key.is_quoted()),
                    Some(last) => self.add_line(value, last)?,
                };
                Ok(Some((change, OriginalForm::List)))
            }
            _ => Err(self.explain_kind(value, place, "a callback or a list of callbacks")),
        }
    }

    fn explain_kind(&self, value: &Node, place: &str, wanted: &'static str) -> SettingsError {
        match value.kind {
            Kind::Alias => self.elsewhere(),
            _ => make_kind_error(place, wanted),
        }
    }

    /// Checks that the members are the mapping's own: merged members may include the new one, and a value that aliases share is not
    /// changed.
    fn check_own_members(&self, mapping: &Node, key: &str) -> Result<(), SettingsError> {
        self.check_unaliased(mapping)?;
        if mapping.has_member("<<") && !mapping.has_member(key) { Err(self.elsewhere()) } else { Ok(()) }
    }

    fn check_unaliased(&self, node: &Node) -> Result<(), SettingsError> {
        if self.outline.is_aliased(node) { Err(self.elsewhere()) } else { Ok(()) }
    }

    fn elsewhere(&self) -> SettingsError {
        SettingsError::Shared(self.callback.to_owned())
    }

    /// Adds both members to a file without a value.
    fn add_first(&self, root: Option<&Node>) -> Change {
        let mapping = make_mapping(
            SETTINGS,
            make_mapping(CALLBACKS, vec![make_scalar(self.callback, false)], false),
            false,
        );
        if let Some(root) = root {
            return Change { events: root.events.clone(), new_events: mapping, ..self.at_end("") };
        }
        let end = self.outline.events.len().saturating_sub(1);
        let document = [Event::DocumentStart(false)].into_iter().chain(mapping).chain([Event::DocumentEnd]);
        Change { events: end..end, new_events: document.collect(), ..self.at_end("") }
    }

    /// Adds both members after those of the file.
    fn add_last(&self, root: &Node) -> Change {
        let indent = root.members().first().map_or("", |(key, _)| self.outline.text_before(key.at.start));
        let end = root.events.end.saturating_sub(1);
        let settings = make_mapping(CALLBACKS, vec![make_scalar(self.callback, false)], false);
        Change { events: end..end, new_events: make_member(SETTINGS, settings, false), ..self.at_end(indent) }
    }

    /// Adds both members as lines at the end of the text, which keeps its final line break if it had one.
    fn at_end(&self, indent: &str) -> Change {
        let (text, line_break) = (self.outline.text, self.outline.line_break());
        let end = text.len();
        let lines = format!("{indent}{SETTINGS}:{line_break}{indent}  {CALLBACKS}: {}", self.callback);
        let becomes = if text.is_empty() || text.ends_with('\n') {
            format!("{lines}{line_break}")
        } else {
            format!("{line_break}{lines}")
        };
        Change { at: end..end, becomes, events: 0..0, new_events: Vec::new() }
    }

    /// Adds a member between braces: `callbacks`, or `litellm_settings` with it.
    fn flow_member(&self, outer: &Node, key: &str, quoted: bool) -> Change {
        let members = outer.members();
        let quoted = members.last().map_or(quoted, |(key, _)| key.is_quoted());
        let word = |text| format_scalar(text, quoted);
        let (mut value, mut new_events) = (word(self.callback), vec![make_scalar(self.callback, quoted)]);
        if key == SETTINGS {
            value = format!("{{{}: {value}}}", word(CALLBACKS));
            new_events = make_mapping(CALLBACKS, new_events, quoted);
        }
        let new = format!("{}: {value}", word(key));
        let place = members.last().map(|(key, value)| (key.at.start, value.at.end.max(key.at.end)));
        self.add_between(outer, place, &new, make_member(key, new_events, quoted))
    }

    /// Adds a callback between brackets.
    fn flow_item(&self, all: &Node, last: Option<&Node>, quoted: bool) -> Change {
        let place = last.map(|last| (last.at.start, last.at.end));
        self.add_between(
            all,
            place,
            &format_scalar(self.callback, quoted),
            vec![make_scalar(self.callback, quoted)],
        )
    }

    /// Adds text after the last item between brackets or braces; on a line of its own if the item is.
    fn add_between(
        &self,
        outer: &Node,
        last: Option<(usize, usize)>,
        new: &str,
        new_events: Vec<Event<'static>>,
    ) -> Change {
        let end = outer.events.end.saturating_sub(1);
        let (at, becomes) = match last {
            None => (self.find_inside(outer), new.to_owned()),
            Some((start, end)) => {
                let (before, after) = (self.outline.text_before(start), self.outline.text_after(end));
                let is_alone = before.trim().is_empty() && matches!(after.trim(), "" | ",");
                let gap = if is_alone && self.outline.line_start(start) > outer.at.start {
                    format!("{}{before}", self.outline.line_break())
                } else {
                    " ".to_owned()
                };
                (end, format!(",{gap}{new}"))
            }
        };
        Change { at: at..at, becomes, events: end..end, new_events }
    }

    /// Returns the position after the bracket or brace.
    fn find_inside(&self, outer: &Node) -> usize {
        let text = self.outline.text.get(outer.at.clone()).unwrap_or_default();
        text.find(['[', '{']).map_or(outer.at.end, |open| outer.at.start + open + 1)
    }

    /// Adds `callbacks` below a `litellm_settings` without a value.
    fn empty_settings(&self, key: &Node, value: &Node, in_flow: bool) -> Change {
        let new_events = make_mapping(CALLBACKS, vec![make_scalar(self.callback, false)], false);
        let member = format!("{CALLBACKS}: {}", self.callback);
        if in_flow {
            let at = self.find_colon(key);
            return Change {
                at: at..at,
                becomes: format!(" {{{member}}}"),
                events: value.events.clone(),
                new_events,
            };
        }
        let line = format!("{}  {member}", self.outline.text_before(key.at.start));
        Change { events: value.events.clone(), new_events, ..self.add_line_after(key.at.end, &line) }
    }

    /// Adds `callbacks` before the other members of `litellm_settings`: text after them may belong to something else.
    fn first_member(&self, key: &Node, settings: &Node) -> Result<Change, SettingsError> {
        let first = settings.members().first().map_or(settings.at.start, |(key, _)| key.at.start);
        let indent = self.outline.text_before(first);
        // The first member shares its line with something else, so its indentation is unknown.
        if !indent.trim().is_empty() {
            return Err(SettingsError::ByHand(self.callback.to_owned()));
        }
        let line = format!("{indent}{CALLBACKS}: {}", self.callback);
        let begin = settings.events.start + 1;
        let new_events = make_member(CALLBACKS, vec![make_scalar(self.callback, false)], false);
        Ok(Change { events: begin..begin, new_events, ..self.add_line_after(key.at.end, &line) })
    }

    /// Adds the value of an empty `callbacks`.
    fn add_only(&self, key: &Node, value: &Node) -> Change {
        let at = self.find_colon(key);
        let new_events = vec![make_scalar(self.callback, false)];
        Change {
            at: at..at,
            becomes: format!(" {}", self.callback),
            events: value.events.clone(),
            new_events,
        }
    }

    /// Makes a list of two callbacks from a single one.
    fn make_list(&self, value: &Node) -> Change {
        let quoted = value.is_quoted();
        let there = self.outline.text.get(value.at.clone()).unwrap_or_default();
        // In place: a block list would need lines, and the value may be followed by a comment.
        let becomes = format!("[{there}, {}]", format_scalar(self.callback, quoted));
        let old = self.outline.events.get(value.events.start).map(to_static_event);
        let new_events = [Event::SequenceStart(0, None)].into_iter().chain(old);
        let new_events = new_events.chain([make_scalar(self.callback, quoted), Event::SequenceEnd]).collect();
        Change { at: value.at.clone(), becomes, events: value.events.clone(), new_events }
    }

    /// Adds a line with a dash.
    fn add_line(&self, all: &Node, last: &Node) -> Result<Change, SettingsError> {
        let quoted = last.is_quoted();
        let before = self.outline.text_before(last.at.start);
        // Two items in one line, or an item behind an anchor: the indentation of a new line is uncertain.
        if before.trim() != "-" {
            return Err(SettingsError::ByHand(self.callback.to_owned()));
        }
        let end = all.events.end.saturating_sub(1);
        let new_events = vec![make_scalar(self.callback, quoted)];
        let line = format!("{before}{}", format_scalar(self.callback, quoted));
        Ok(Change { events: end..end, new_events, ..self.add_line_after(last.at.end, &line) })
    }

    /// Adds a line below the one at this position.
    fn add_line_after(&self, place: usize, line: &str) -> Change {
        let (at, line_break) = (self.outline.line_after(place), self.outline.line_break());
        let is_whole = self.outline.text.get(..at).is_some_and(|before| before.ends_with('\n'));
        let becomes = if is_whole { format!("{line}{line_break}") } else { format!("{line_break}{line}") };
        Change { at: at..at, becomes, events: 0..0, new_events: Vec::new() }
    }

    /// Returns the position after the colon of a key.
    fn find_colon(&self, key: &Node) -> usize {
        let rest = self.outline.text.get(key.at.end..).unwrap_or_default();
        rest.find(':').map_or(key.at.end, |at| key.at.end + at + 1)
    }
}

fn is_flow(node: &Node) -> bool {
    matches!(node.kind, Kind::Mapping { is_flow: true, .. })
}

fn to_static_event(event: &Event<'_>) -> Event<'static> {
    match event {
        Event::Scalar(text, style, anchor, _) => {
            Event::Scalar(text.clone().into_owned().into(), *style, *anchor, None)
        }
        _ => Event::Nothing,
    }
}

fn make_kind_error(place: &str, wanted: &'static str) -> SettingsError {
    SettingsError::Kind { place: place.to_owned(), wanted }
}
