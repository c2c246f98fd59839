//! What a key of the file is: its name, its kind of value, what is told of it.

use hookbox_model::Limit;

/// The keys of one table.
#[derive(Debug)]
pub(super) struct Shape {
    /// What the table is, in messages.
    pub(super) name: &'static str,
    /// What may stand in it.
    pub(super) keys: &'static [Key],
    /// Exactly one of these must; empty if there is no such rule.
    pub(super) one_of: &'static [&'static str],
    /// May it be empty?
    pub(super) may_be_empty: bool,
}

/// One key.
#[derive(Debug)]
pub(super) struct Key {
    /// Its name.
    pub(super) name: &'static str,
    /// Must it be there?
    pub(super) required: bool,
    /// What its value is.
    pub(super) kind: Kind,
    /// How it is written, in messages.
    pub(super) example: &'static str,
    /// What it is for, in the schema.
    pub(super) doc: &'static str,
}

/// What a value is.
#[derive(Debug)]
pub(super) enum Kind {
    /// The name of a hook.
    Name,
    /// An event's name or a pattern of events.
    Event,
    /// The name of an environment variable.
    Variable,
    /// The SHA-256 of a file.
    Digest,
    /// A string that is not empty.
    Text,
    /// Any string.
    Any,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    /// `true` or `false`.
    Flag,
    /// A whole number in this range.
    Integer(i64, i64),
    /// A duration with its unit.
    Duration(Limit),
    /// A number, or a size with its unit where the limit counts bytes.
    Limit(Limit),
    /// A size with its unit; who reads it knows its range.
    Size,
    /// A duration with its unit, in whole seconds; who reads it knows its range.
    Seconds,
    /// A number of bytes, or a size with its unit, in this range.
    Bytes(SizeRange),
    /// One, or a list of one or more.
    OneOrMore(&'static Kind),
    /// A list of at least so many.
    List(&'static Kind, usize),
    /// A table with keys of the file's choice.
    Map(&'static Kind),
    /// A table of this shape.
    Table(&'static Shape),
    /// A list of tables of this shape.
    Entries(&'static Shape),
    /// A table that only the hook understands.
    Free,
}

/// From how many to how many bytes, and how many if nobody says.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeRange {
    pub(super) min: u64,
    pub(super) max: u64,
    pub(super) default: u64,
}

pub(super) const fn key(name: &'static str, kind: Kind, example: &'static str, doc: &'static str) -> Key {
    Key { name, required: false, kind, example, doc }
}

pub(super) const fn required(
    name: &'static str,
    kind: Kind,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, required: true, kind, example, doc }
}

pub(super) const fn limit(limit: Limit, name: &'static str, example: &'static str, doc: &'static str) -> Key {
    key(name, Kind::Limit(limit), example, doc)
}

impl Shape {
    /// The key of this name.
    pub(super) fn key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Must there be a key, and is it not said which?
    pub(super) fn needs_a_key(&self) -> bool {
        !self.may_be_empty && self.one_of.is_empty() && self.keys.iter().all(|key| !key.required)
    }

    /// The names of the keys.
    pub(super) fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}
