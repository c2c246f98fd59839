//! Environment variables, as a capability.

use super::{
    capability::{Capability, list_ungranted, prefix_items},
    line::format_list,
};
use crate::members::{Members, Read};

pub(super) const ENV: Capability = Capability {
    name: "env",
    read: |members, asks| read_names(members).map(|env| asks.env = env),
    admit: |asks, granted, given| {
        given.env = granted.env.iter().filter(|name| asks.env.contains(name)).cloned().collect();
    },
    join: |asks, granted| {
        let more: Vec<_> = list_ungranted(&asks.env, &granted.env).cloned().collect();
        granted.env.extend(more);
    },
    missing: |asks, granted| prefix_items("env", list_ungranted(&asks.env, &granted.env)),
    open: |_| Vec::new(),
    names: |granted| prefix_items("env", &granted.env),
    keys: |granted| format_list("env", &granted.env).into_iter().collect(),
    acts: |_| false,
};

fn read_names(members: &Members<'_>) -> Read<Vec<String>> {
    let names = members.read_texts("env")?;
    match names.iter().find(|name| name.is_empty() || name.contains(['=', '*'])) {
        Some(name) => Err(members.value_error("env", name, "which is not a variable")),
        None => Ok(names),
    }
}
