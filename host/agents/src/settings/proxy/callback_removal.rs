//! Determines the place of a callback to remove, and the containers to remove with it.

use std::ops::Range;

use saphyr_parser::Event;

use super::{
    CALLBACKS, OriginalForm, SETTINGS,
    change::{Change, make_null},
    outline::{Kind, Node, Outline},
};

/// Removes the callback, possibly as the next of several steps; `None` if it is absent.
pub(super) fn remove_callback(
    outline: &Outline<'_>,
    callback: &str,
    held: Option<OriginalForm>,
) -> Option<Change> {
    let root = outline.root()?;
    let (at, settings) = find_member(root, SETTINGS)?;
    let (inner, value) = find_member(settings, CALLBACKS)?;
    let taking = Taking { outline, held };
    let is_own = |node: &Node| node.text() == Some(callback);
    match &value.kind {
        Kind::List { items, is_flow } => {
            let own = items.iter().position(is_own)?;
            match (items.len(), is_flow) {
                (1, false) => taking.remove_callbacks((root, at), (settings, inner)),
                // The list was created for the callback; without it the remaining one is a text again.
                (2, true) if held == Some(OriginalForm::OneCallback) => taking.unwrap_list(value, items, own),
                (_, true) => Some(remove_between(items, own)),
                (_, false) => taking.remove_line(items.get(own)?, "-"),
            }
        }
        Kind::Text { .. } if is_own(value) => taking.remove_callbacks((root, at), (settings, inner)),
        _ => None,
    }
}

fn find_member<'a>(mapping: &'a Node, key: &str) -> Option<(usize, &'a Node)> {
    let at = mapping.find_member(key).ok()??;
    Some((at, &mapping.members().get(at)?.1))
}

struct Taking<'a> {
    outline: &'a Outline<'a>,
    held: Option<OriginalForm>,
}

impl Taking<'_> {
    /// Removes the member `callbacks`, or its value, or `litellm_settings` with it: everything that was created for it.
    fn remove_callbacks(
        &self,
        (root, at): (&Node, usize),
        (settings, inner): (&Node, usize),
    ) -> Option<Change> {
        let (_, value) = settings.members().get(inner)?;
        if self.held == Some(OriginalForm::EmptyCallbacks) {
            return self.remove_value(settings, inner, value);
        }
        if settings.members().len() > 1 || self.is_kept_flow(settings) {
            return self.remove_member(settings, inner);
        }
        match self.held {
            Some(OriginalForm::EmptySettings) if is_flow(settings) => self.remove_value(root, at, settings),
            Some(OriginalForm::EmptySettings | OriginalForm::NoCallbacks) => {
                let change = self.remove_member(settings, inner)?;
                Some(Change { events: settings.events.clone(), new_events: vec![make_null()], ..change })
            }
            _ if root.members().len() > 1 || is_flow(root) => self.remove_member(root, at),
            _ => self.remove_document(root),
        }
    }

    /// Returns true for braces that existed before: they stay, but empty.
    fn is_kept_flow(&self, settings: &Node) -> bool {
        is_flow(settings) && self.held == Some(OriginalForm::NoCallbacks)
    }

    /// Removes the whole content of the file.
    fn remove_document(&self, root: &Node) -> Option<Change> {
        let change = self.remove_member(root, 0)?;
        let is_marked = self.outline.events.contains(&Event::DocumentStart(true));
        let (events, new_events) = if is_marked {
            (root.events.clone(), vec![make_null()])
        } else {
            (root.events.start - 1..root.events.end + 1, Vec::new())
        };
        Some(Change { events, new_events, ..change })
    }

    /// Removes the text after the colon.
    fn remove_value(&self, mapping: &Node, at: usize, value: &Node) -> Option<Change> {
        let (key, _) = mapping.members().get(at)?;
        let between = self.outline.text.get(key.at.end..value.at.start)?;
        let colon = key.at.end + between.find(':')? + 1;
        Some(Change {
            at: colon..value.at.end,
            becomes: String::new(),
            events: value.events.clone(),
            new_events: vec![make_null()],
        })
    }

    /// Removes a member, with its lines or with its comma.
    fn remove_member(&self, mapping: &Node, at: usize) -> Option<Change> {
        let members = mapping.members();
        let (key, value) = members.get(at)?;
        let events = key.events.start..value.events.end;
        let whole = |(key, value): &(Node, Node)| key.at.start..value.at.end.max(key.at.end);
        let place = if is_flow(mapping) {
            find_separated(&members.iter().map(whole).collect::<Vec<_>>(), at)?
        } else {
            self.find_lines(&whole(members.get(at)?), "")?
        };
        Some(Change { at: place, becomes: String::new(), events, new_events: Vec::new() })
    }

    /// Restores the one remaining callback, without the brackets that were put around it.
    fn unwrap_list(&self, list: &Node, items: &[Node], own: usize) -> Option<Change> {
        let left = items.get(1 - own)?;
        let becomes = self.outline.text.get(left.at.clone())?.to_owned();
        let scalar = match self.outline.events.get(left.events.start)? {
            Event::Scalar(text, style, anchor, None) => {
                Event::Scalar(text.clone().into_owned().into(), *style, *anchor, None)
            }
            _ => return Some(remove_between(items, own)),
        };
        Some(Change { at: list.at.clone(), becomes, events: list.events.clone(), new_events: vec![scalar] })
    }

    fn remove_line(&self, item: &Node, mark: &str) -> Option<Change> {
        let at = self.find_lines(&item.at, mark)?;
        Some(Change { at, becomes: String::new(), events: item.events.clone(), new_events: Vec::new() })
    }

    /// Returns the lines of an item that is preceded only by this mark; includes the line break before them if none follows.
    fn find_lines(&self, at: &Range<usize>, mark: &str) -> Option<Range<usize>> {
        if self.outline.text_before(at.start).trim() != mark {
            return None;
        }
        let (mut start, end) = (self.outline.line_start(at.start), self.outline.line_after(at.end));
        let text = self.outline.text;
        if !text.get(..end)?.ends_with('\n') {
            let before = text.get(..start)?;
            start = before
                .strip_suffix('\n')
                .map_or(before, |line| line.strip_suffix('\r').unwrap_or(line))
                .len();
        }
        Some(start..end)
    }
}

/// Removes one item between brackets.
fn remove_between(items: &[Node], own: usize) -> Change {
    let places: Vec<_> = items.iter().map(|item| item.at.clone()).collect();
    let events = items.get(own).map_or(0..0, |item| item.events.clone());
    let at = find_separated(&places, own).unwrap_or_default();
    Change { at, becomes: String::new(), events, new_events: Vec::new() }
}

/// Returns the range of one of several items with commas between them, with the comma before it, else the one after it.
fn find_separated(places: &[Range<usize>], at: usize) -> Option<Range<usize>> {
    let own = places.get(at)?;
    if let Some(before) = at.checked_sub(1).and_then(|before| places.get(before)) {
        // With the comma before it: the last item has none after it.
        return Some(before.end..own.end);
    }
    Some(own.start..places.get(at + 1).map_or(own.end, |next| next.start))
}

fn is_flow(node: &Node) -> bool {
    matches!(node.kind, Kind::Mapping { is_flow: true, .. })
}
