//! Events, answers, outcomes and reports as text that reads back to the same value (docs/reference/records.md).
//!
//! The types' own shape is the form, by serde; this module adds its version, its bounds, and the checks that shapes do not express.

mod error;
mod fields;
mod json;

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor},
    ser::SerializeMap,
};

pub use self::error::{RecordError, RecordErrorKind};
pub(crate) use self::{
    fields::{bounded, name, nanoseconds, sha256, short, visible},
    json::object,
};
use crate::{Answer, Event, HookReport, Outcome, RawObject, text::short_text};

/// Version of the form: it increases with every change of the written or accepted text.
pub const RECORD_VERSION: u32 = 1;

/// Longest accepted record, in bytes: several times the largest event.
pub const MAX_RECORD_BYTES: usize = 128 << 20;

/// A value with a serialised form: one line of JSON, `{"version":1,"event":{…}}`.
///
/// ```
/// # mod hookbox { pub use hookbox_model as model; }
/// use hookbox::model::{Answer, Record};
///
/// let answer = Answer::deny("no-shell", "not here");
/// assert_eq!(Answer::from_record(&answer.to_record()), Ok(answer));
/// ```
pub trait Record: Serialize + DeserializeOwned {
    /// The member of the record that holds the value.
    const MEMBER: &'static str;

    /// Returns the value as one line, without a line break at its end.
    fn to_record(&self) -> String {
        // A value of these types has no part that JSON cannot hold.
        serde_json::to_string(&Written(self)).unwrap_or_default()
    }

    /// Parses a record. An error if it is not one of this version and of this type, if it is longer than [`MAX_RECORD_BYTES`], or if it
    /// holds a value that the type cannot hold.
    fn from_record(text: &str) -> Result<Self, RecordError> {
        check_root::<Self>(text)?;
        let Root(value) = serde_json::from_str(text)?;
        Ok(value.ok_or_else(|| RecordErrorKind::MissingMember(Self::MEMBER.to_owned()))?)
    }
}

impl Record for Event {
    const MEMBER: &'static str = "event";
}

impl Record for Answer {
    const MEMBER: &'static str = "answer";
}

impl Record for Outcome {
    const MEMBER: &'static str = "outcome";
}

impl Record for HookReport {
    const MEMBER: &'static str = "report";
}

const VERSION: &str = "version";

struct Written<'a, T>(&'a T);

impl<T: Record> Serialize for Written<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut root = serializer.serialize_map(Some(2))?;
        root.serialize_entry(VERSION, &RECORD_VERSION)?;
        root.serialize_entry(T::MEMBER, self.0)?;
        root.end()
    }
}

/// Checks the root members. The version is checked first, wherever it is in the text: members of another version have unknown meanings.
fn check_root<T: Record>(text: &str) -> Result<(), RecordErrorKind> {
    use RecordErrorKind::{
        DuplicateMember, Json, MissingMember, OtherValue, TooLong, UnknownMember, UnknownVersion,
    };
    if text.len() > MAX_RECORD_BYTES {
        return Err(TooLong(text.len()));
    }
    let root = RawObject::parse(text).map_err(Json)?;
    let version = root.get(VERSION).ok_or_else(|| MissingMember(VERSION.to_owned()))?.get();
    // Compared as text: hookbox writes no other spelling of the number.
    if version != RECORD_VERSION.to_string() {
        return Err(UnknownVersion(short_text(version)));
    }
    // `RawObject` keeps duplicates, and a later reader could take the other one.
    let mut seen = Vec::new();
    for (member, _) in root.iter() {
        if ![VERSION, T::MEMBER].contains(&member) {
            let other =
                [Event::MEMBER, Answer::MEMBER, Outcome::MEMBER, HookReport::MEMBER].contains(&member);
            return Err(if other {
                OtherValue(member.to_owned(), T::MEMBER)
            } else {
                UnknownMember(short_text(member))
            });
        }
        if seen.contains(&member) {
            return Err(DuplicateMember(member.to_owned()));
        }
        seen.push(member);
    }
    Ok(())
}

/// The value next to the version, in a text whose root was checked.
struct Root<T>(Option<T>);

impl<'de, T: Record> Deserialize<'de> for Root<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<T>(PhantomData<T>);
        impl<'de, T: Record> Visitor<'de> for Members<T> {
            type Value = Option<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Option<T>, A::Error> {
                let mut value = None;
                while let Some(member) = map.next_key::<String>()? {
                    if member == T::MEMBER {
                        value = Some(map.next_value()?);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(value)
            }
        }
        deserializer.deserialize_map(Members(PhantomData)).map(Root)
    }
}
