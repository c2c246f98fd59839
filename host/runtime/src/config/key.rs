//! Description of a key of the file: its name, kind of value, example and documentation.

use hookbox_model::Limit;

#[derive(Debug)]
pub(super) struct Shape {
    /// Name of the table in messages.
    pub(super) name: &'static str,
    pub(super) keys: &'static [Key],
    /// Keys of which exactly one is required; empty if there is no such rule.
    pub(super) one_of: &'static [&'static str],
    /// True if the table may be empty.
    pub(super) may_be_empty: bool,
}

#[derive(Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) required: bool,
    pub(super) kind: Kind,
    /// Example in messages.
    pub(super) example: &'static str,
    /// Documentation in the schema.
    pub(super) doc: &'static str,
}

#[derive(Debug)]
pub(super) enum Kind {
    Name,
    /// An event's name or a pattern of events.
    Event,
    Variable,
    /// The SHA-256 of a file.
    Digest,
    /// A string that is not empty.
    Text,
    /// Any string.
    Any,
    /// One of these words.
    Word(fn() -> Vec<&'static str>),
    Flag,
    Integer(i64, i64),
    Duration(Limit),
    /// A number, or a size with its unit where the limit counts bytes.
    Limit(Limit),
    /// A size with its unit; its reader checks the range.
    Size,
    /// A duration with its unit, in whole seconds; its reader checks the range.
    Seconds,
    /// A number of bytes, or a size with its unit, in this range.
    Bytes(SizeRange),
    /// One value, or a list of one or more.
    OneOrMore(&'static Kind),
    /// A list of at least this many values.
    List(&'static Kind, usize),
    /// A table with keys of the file's choice.
    Map(&'static Kind),
    Table(&'static Shape),
    /// A list of tables of this shape.
    Entries(&'static Shape),
    /// A table that only the hook interprets.
    Free,
}

/// Range of a size in bytes, with the default.
#[derive(Clone, Copy, Debug)]
pub(super) struct SizeRange {
    pub(super) min: u64,
    pub(super) max: u64,
    pub(super) default: u64,
}

pub(super) const fn optional_key(
    name: &'static str,
    kind: Kind,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, required: false, kind, example, doc }
}

pub(super) const fn required_key(
    name: &'static str,
    kind: Kind,
    example: &'static str,
    doc: &'static str,
) -> Key {
    Key { name, required: true, kind, example, doc }
}

pub(super) const fn limit_key(
    limit: Limit,
    name: &'static str,
    example: &'static str,
    doc: &'static str,
) -> Key {
    optional_key(name, Kind::Limit(limit), example, doc)
}

impl Shape {
    pub(super) fn find_key(&self, name: &str) -> Option<&'static Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Returns true if any one key is required, without a rule about which one.
    pub(super) fn needs_a_key(&self) -> bool {
        !self.may_be_empty && self.one_of.is_empty() && self.keys.iter().all(|key| !key.required)
    }

    pub(super) fn names(&self) -> Vec<&'static str> {
        self.keys.iter().map(|key| key.name).collect()
    }
}
