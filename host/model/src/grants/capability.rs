//! One capability: its requests, grants and texts.

use std::fmt::Display;

use super::{Grants, RequestedGrants};
use crate::members::{Members, Read};

/// A capability: how a plugin requests it, how a grant is limited to the request, and its texts. A plugin with a manifest has the
/// requested and granted capabilities; a grant that no capability admits is dropped.
#[derive(Clone, Copy)]
pub(crate) struct Capability {
    /// Member of a manifest's `capabilities`.
    pub(crate) name: &'static str,
    /// Reads that member.
    pub(crate) read: fn(&Members<'_>, &mut RequestedGrants) -> Read<()>,
    /// Limits grants to the request: reads the request and the grants, and adds to the effective capabilities.
    pub(super) admit: fn(&RequestedGrants, &Grants, &mut Grants),
    /// Adds the request to the grants, as an operator who agrees would.
    pub(super) join: fn(&RequestedGrants, &mut Grants),
    /// Lists requested items that are not granted, as display texts.
    pub(super) missing: fn(&RequestedGrants, &Grants) -> Vec<String>,
    /// Lists requests for any item that the operator names (`*`), which are not missing if the operator names none.
    pub(super) open: fn(&RequestedGrants) -> Vec<String>,
    /// Lists granted items, as display texts.
    pub(super) names: fn(&Grants) -> Vec<String>,
    /// Lists granted items as keys of `grant`.
    pub(super) keys: fn(&Grants) -> Vec<String>,
    /// Returns true if a call with this grant can have an effect beyond its answer.
    pub(super) acts: fn(&Grants) -> bool,
}

/// Declares a capability that is requested and granted by `true` and lets a hook know something: its name, and its field in [`Grants`]
/// and [`RequestedGrants`].
macro_rules! flag {
    ($name:literal, $field:ident) => {
        Capability {
            name: $name,
            read: |members, asks| members.read_flag($name).map(|asked| asks.$field = asked),
            admit: |asks, granted, given| given.$field = asks.$field && granted.$field,
            join: |asks, granted| granted.$field |= asks.$field,
            missing: |asks, granted| {
                (asks.$field && !granted.$field).then(|| $name.to_owned()).into_iter().collect()
            },
            open: |_| Vec::new(),
            names: |granted| granted.$field.then(|| $name.to_owned()).into_iter().collect(),
            keys: |granted| {
                granted.$field.then(|| concat!($name, " = true").to_owned()).into_iter().collect()
            },
            acts: |_| false,
        }
    };
}
pub(super) use flag;

/// Returns the items, each with the name of its capability before it.
pub(super) fn prefix_items<T: Display>(name: &str, items: impl IntoIterator<Item = T>) -> Vec<String> {
    items.into_iter().map(|item| format!("{name} {item}")).collect()
}

/// Returns the requested items that are not granted.
pub(super) fn list_ungranted<'a, T: PartialEq>(
    asked: &'a [T],
    granted: &'a [T],
) -> impl Iterator<Item = &'a T> {
    asked.iter().filter(|item| !granted.contains(item))
}

/// Returns true if the item is requested by its name or by [`ANY`].
pub(super) fn is_named(asked: &[String], name: &str) -> bool {
    asked.iter().any(|asked| asked == name || asked == ANY)
}

/// Requests any item that the operator names.
pub(super) const ANY: &str = "*";
