//! Checks of fields that a type's own shape does not express.

use serde::{Deserialize, Deserializer, de};

use crate::{
    Labelled,
    text::{is_bounded, is_visible, short_text},
};

pub(crate) trait Texts {
    /// Returns true if the condition holds for each text.
    fn each(&self, is: fn(&str) -> bool) -> bool;
}

impl Texts for String {
    fn each(&self, is: fn(&str) -> bool) -> bool {
        is(self)
    }
}

impl Texts for std::borrow::Cow<'_, str> {
    fn each(&self, is: fn(&str) -> bool) -> bool {
        is(self)
    }
}

impl Texts for Labelled<String> {
    fn each(&self, is: fn(&str) -> bool) -> bool {
        is(&self.value)
    }
}

impl<T: Texts> Texts for Option<T> {
    fn each(&self, is: fn(&str) -> bool) -> bool {
        self.iter().all(|text| text.each(is))
    }
}

impl<T: Texts> Texts for Vec<T> {
    fn each(&self, is: fn(&str) -> bool) -> bool {
        self.iter().all(|text| text.each(is))
    }
}

fn deserialize_texts<'de, D, T>(deserializer: D, is: fn(&str) -> bool, problem: &str) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Texts + Deserialize<'de>,
{
    let texts = T::deserialize(deserializer)?;
    if texts.each(is) { Ok(texts) } else { Err(de::Error::custom(problem)) }
}

/// Accepts texts in the form of [`bounded_text`](crate::bounded_text).
pub(crate) fn bounded<'de, D: Deserializer<'de>, T: Texts + Deserialize<'de>>(
    from: D,
) -> Result<T, D::Error> {
    deserialize_texts(
        from,
        is_bounded,
        "this text is longer than 10000 characters or has some that cannot be seen",
    )
}

/// Accepts texts of which each is one or several bounded ones: agents that join texts set no bound to them.
pub(crate) fn visible<'de, D: Deserializer<'de>, T: Texts + Deserialize<'de>>(
    from: D,
) -> Result<T, D::Error> {
    deserialize_texts(
        from,
        |text| text.chars().all(is_visible),
        "this text has characters that cannot be seen",
    )
}

/// Accepts lines in the form of those of a [`Refusal`](crate::Refusal).
pub(crate) fn short<'de, D: Deserializer<'de>, T: Texts + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    deserialize_texts(
        from,
        |text| short_text(text) == text,
        "this is not one line of 500 characters that can be seen",
    )
}

/// Accepts names that the program itself defines: of agents, of capabilities.
pub(crate) fn name<'de, D: Deserializer<'de>, T: Texts + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    let is_name = |text: &str| text.len() <= 64 && text.bytes().all(|byte| byte.is_ascii_graphic());
    deserialize_texts(
        from,
        is_name,
        "this name is longer than 64 bytes or has others than visible ASCII characters",
    )
}

/// Accepts SHA-256 in hexadecimal.
pub(crate) fn sha256<'de, D: Deserializer<'de>, T: Texts + Deserialize<'de>>(from: D) -> Result<T, D::Error> {
    let is_sha256 =
        |text: &str| text.len() == 64 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    deserialize_texts(from, is_sha256, "this must be 64 hexadecimal digits")
}

/// A duration as a whole number of nanoseconds.
pub(crate) mod nanoseconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serializer, de};

    const SECOND: u128 = 1_000_000_000;

    pub(crate) fn serialize<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u128(duration.as_nanos())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        let total = u128::deserialize(deserializer)?;
        let (seconds, rest) = (u64::try_from(total / SECOND), u32::try_from(total % SECOND));
        let duration = seconds.ok().zip(rest.ok()).map(|(seconds, rest)| Duration::new(seconds, rest));
        duration.ok_or_else(|| de::Error::custom("this is longer than any duration"))
    }
}
