//! YAML as Python's `yaml.safe_load` reads it, in the values of JSON, within limits: aliases count as often as they are
//! used.

mod line;
mod scalar;
#[cfg(test)]
mod tests;

use std::{borrow::Cow, collections::HashMap, fmt};

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};
use serde_json::{Map, Value};

pub(super) use self::line::find_line;

/// Maximum number of values in a file, including those that aliases stand for.
const MAX_VALUES: usize = 10_000;

/// Maximum size of their text, bytes.
const MAX_TEXT: usize = 2 << 20;

/// Maximum nesting of lists and mappings.
const MAX_DEPTH: usize = 32;

#[derive(Debug)]
pub(super) struct YamlError {
    /// Line number, from 1.
    line: usize,
    what: Cow<'static, str>,
}

impl fmt::Display for YamlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

impl From<ScanError> for YamlError {
    fn from(error: ScanError) -> Self {
        Self { line: error.marker().line(), what: error.info().to_owned().into() }
    }
}

/// Parses the single document of `text`; empty text gives `null`. Of two equal keys the last counts; keys are text.
pub(super) fn parse(text: &str) -> Result<Value, YamlError> {
    let mut document = Document { values_left: MAX_VALUES, text_left: MAX_TEXT, ..Document::default() };
    for event in Parser::new_from_str(text) {
        let (event, span) = event?;
        document.take_event(event).map_err(|what| YamlError { line: span.start.line(), what })?;
    }
    Ok(document.root.unwrap_or_default())
}

type ParseStep = Result<(), Cow<'static, str>>;

/// A document under construction.
#[derive(Default)]
struct Document {
    open: Vec<Open>,
    anchors: HashMap<usize, Value>,
    root: Option<Value>,
    values_left: usize,
    text_left: usize,
}

/// A list or mapping that is not closed yet.
struct Open {
    /// 0 without an anchor.
    anchor: usize,
    kind: OpenKind,
}

enum OpenKind {
    List(Vec<Value>),
    Mapping { members: Map<String, Value>, key: Option<MappingKey>, merged: Vec<Map<String, Value>> },
}

enum MappingKey {
    Named(String),
    /// `<<`: the members of another mapping that the mapping itself lacks.
    Merge,
}

impl Document {
    fn take_event(&mut self, event: Event<'_>) -> ParseStep {
        match event {
            Event::Scalar(text, style, anchor, tag) => self.add_scalar(&text, style, anchor, tag.as_deref()),
            Event::SequenceStart(anchor, tag) => {
                self.start_container(anchor, tag.as_deref(), OpenKind::List(Vec::new()))
            }
            Event::MappingStart(anchor, tag) => {
                let kind = OpenKind::Mapping { members: Map::new(), key: None, merged: Vec::new() };
                self.start_container(anchor, tag.as_deref(), kind)
            }
            Event::SequenceEnd | Event::MappingEnd => self.end_container(),
            Event::Alias(anchor) => self.add_alias(anchor),
            Event::DocumentStart(_) if self.root.is_some() => Err("there is more than one document".into()),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn add_scalar(&mut self, text: &str, style: ScalarStyle, anchor: usize, tag: Option<&Tag>) -> ParseStep {
        let as_text = style != ScalarStyle::Plain || tag.is_some();
        // `safe_load` builds other types for other tags, or refuses them; guessing could change a hook.
        if tag.is_some_and(|tag| !is_core(tag, "str")) {
            return Err(reject_tag(tag));
        }
        self.charge_bytes(text.len())?;
        if let Some(key) = self.pending_key() {
            *key = Some(if text == "<<" && !as_text {
                MappingKey::Merge
            } else {
                MappingKey::Named(text.to_owned())
            });
            return Ok(());
        }
        let value = if as_text { Value::from(text) } else { scalar::parse_plain(text) };
        self.add_value(anchor, value)
    }

    fn start_container(&mut self, anchor: usize, tag: Option<&Tag>, kind: OpenKind) -> ParseStep {
        if tag.is_some_and(|tag| !is_core(tag, "seq") && !is_core(tag, "map")) {
            return Err(reject_tag(tag));
        }
        if self.pending_key().is_some() {
            return Err("a key is not a plain text".into());
        }
        if self.open.len() >= MAX_DEPTH {
            return Err(too_deep());
        }
        self.charge_bytes(0)?;
        self.open.push(Open { anchor, kind });
        Ok(())
    }

    fn end_container(&mut self) -> ParseStep {
        let Some(Open { anchor, kind }) = self.open.pop() else { return Ok(()) };
        let value = match kind {
            OpenKind::List(items) => Value::Array(items),
            OpenKind::Mapping { mut members, merged, .. } => {
                for (key, value) in merged.into_iter().flatten() {
                    // The mapping's own members win over merged ones, and earlier merged ones over later
                    // ones.
                    members.entry(key).or_insert(value);
                }
                Value::Object(members)
            }
        };
        self.add_value(anchor, value)
    }

    fn add_alias(&mut self, anchor: usize) -> ParseStep {
        if self.pending_key().is_some() {
            return Err("a key is not a plain text".into());
        }
        // Taken out, since `charge_all` borrows the document. A missing value is not finished: the alias is
        // inside of it.
        let Some(value) = self.anchors.remove(&anchor) else {
            return Err("an alias stands inside of what it stands for".into());
        };
        // Charged before it is copied: nested aliases grow exponentially (the "billion laughs").
        self.charge_all(&value, self.open.len())?;
        self.add_value(0, value.clone())?;
        self.anchors.insert(anchor, value);
        Ok(())
    }

    /// Returns the place of the next key, if the innermost container is a mapping that waits for one.
    fn pending_key(&mut self) -> Option<&mut Option<MappingKey>> {
        match self.open.last_mut().map(|open| &mut open.kind) {
            Some(OpenKind::Mapping { key: key @ None, .. }) => Some(key),
            _ => None,
        }
    }

    /// Puts a finished value in its place.
    fn add_value(&mut self, anchor: usize, value: Value) -> ParseStep {
        if anchor > 0 {
            self.charge_all(&value, 0)?;
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut().map(|open| &mut open.kind) {
            None => self.root = Some(value),
            Some(OpenKind::List(items)) => items.push(value),
            Some(OpenKind::Mapping { members, key, merged }) => match key.take() {
                Some(MappingKey::Merge) => merge_members(value, merged)?,
                Some(MappingKey::Named(key)) => {
                    members.insert(key, value);
                }
                None => {}
            },
        }
        Ok(())
    }

    /// Counts a value and all values in it; `depth` is the depth of its new place.
    fn charge_all(&mut self, value: &Value, depth: usize) -> ParseStep {
        if depth >= MAX_DEPTH && (value.is_array() || value.is_object()) {
            return Err(too_deep());
        }
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => self.charge_bytes(0),
            Value::String(text) => self.charge_bytes(text.len()),
            Value::Array(items) => {
                self.charge_bytes(0)?;
                items.iter().try_for_each(|item| self.charge_all(item, depth + 1))
            }
            Value::Object(members) => {
                self.charge_bytes(members.keys().map(String::len).sum())?;
                members.values().try_for_each(|value| self.charge_all(value, depth + 1))
            }
        }
    }

    fn charge_bytes(&mut self, bytes: usize) -> ParseStep {
        let left = (self.values_left.checked_sub(1), self.text_left.checked_sub(bytes));
        let (Some(values), Some(text)) = left else {
            let what =
                format!("it is more than {MAX_VALUES} values or {MAX_TEXT} bytes, aliases written out");
            return Err(what.into());
        };
        (self.values_left, self.text_left) = (values, text);
        Ok(())
    }
}

/// Merges the value of a key `<<`: a mapping, or a list of them.
fn merge_members(value: Value, merged: &mut Vec<Map<String, Value>>) -> ParseStep {
    match value {
        Value::Object(members) => merged.push(members),
        Value::Array(list) => list.into_iter().try_for_each(|value| merge_members(value, merged))?,
        _ => return Err("what `<<` names is not a mapping".into()),
    }
    Ok(())
}

fn is_core(tag: &Tag, name: &str) -> bool {
    tag.is_yaml_core_schema() && tag.suffix == name
}

fn reject_tag(tag: Option<&Tag>) -> Cow<'static, str> {
    let tag = tag.map(ToString::to_string).unwrap_or_default();
    format!("the tag {tag:?} is not read").into()
}

fn too_deep() -> Cow<'static, str> {
    format!("more than {MAX_DEPTH} lists and mappings stand within one another").into()
}
