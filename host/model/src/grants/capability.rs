//! One thing that can be granted and asked for.

use std::fmt::Display;

use super::{Grants, RequestedGrants};
use crate::members::{Members, Read};

/// A capability: how a plugin asks for it, what asking leaves of a grant, and the words for it. A plugin with a manifest has
/// what is asked and granted, so nothing is given that no capability admits.
#[derive(Clone, Copy)]
pub(crate) struct Capability {
    /// Its member of a manifest's `capabilities`.
    pub(crate) name: &'static str,
    /// Reads that member.
    pub(crate) read: fn(&Members<'_>, &mut RequestedGrants) -> Read<()>,
    /// Gives what is asked of what is granted: from the asks and the grants, into those that the hook has.
    pub(super) admit: fn(&RequestedGrants, &Grants, &mut Grants),
    /// Adds what is asked to what is granted, as the operator would who agrees.
    pub(super) join: fn(&RequestedGrants, &mut Grants),
    /// What is asked and not granted, each as people read it.
    pub(super) missing: fn(&RequestedGrants, &Grants) -> Vec<String>,
    /// What is asked of which the operator names what there is, and which is not missing if he names none.
    pub(super) open: fn(&RequestedGrants) -> Vec<String>,
    /// What is granted, each as people read it.
    pub(super) names: fn(&Grants) -> Vec<String>,
    /// What is granted, as keys of `grant`.
    pub(super) keys: fn(&Grants) -> Vec<String>,
    /// Can a call with it have an effect beyond its answer?
    pub(super) acts: fn(&Grants) -> bool,
}

/// A capability that is granted and asked for by `true`, and lets a hook know something: its name, and its field in
/// [`Grants`] and [`RequestedGrants`].
macro_rules! flag {
    ($name:literal, $field:ident) => {
        Capability {
            name: $name,
            read: |members, asks| members.flag($name).map(|asked| asks.$field = asked),
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

/// Each with the name of its capability before it.
pub(super) fn named<T: Display>(name: &str, items: impl IntoIterator<Item = T>) -> Vec<String> {
    items.into_iter().map(|item| format!("{name} {item}")).collect()
}

/// Those that are asked for and not among what is granted.
pub(super) fn beyond<'a, T: PartialEq>(asked: &'a [T], granted: &'a [T]) -> impl Iterator<Item = &'a T> {
    asked.iter().filter(|item| !granted.contains(item))
}

/// Is this one asked for by its name, or whichever there are?
pub(super) fn is_named(asked: &[String], name: &str) -> bool {
    asked.iter().any(|asked| asked == name || asked == ANY)
}

/// Asks for whichever the operator names.
pub(super) const ANY: &str = "*";
