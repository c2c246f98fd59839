//! Environment variables, as a capability.

use super::{
    capability::{Capability, beyond, named},
    line::list,
};
use crate::members::{Members, Read};

pub(super) const ENV: Capability = Capability {
    name: "env",
    read: |members, asks| read(members).map(|env| asks.env = env),
    admit: |asks, granted, given| {
        given.env = granted.env.iter().filter(|name| asks.env.contains(name)).cloned().collect();
    },
    join: |asks, granted| {
        let more: Vec<_> = beyond(&asks.env, &granted.env).cloned().collect();
        granted.env.extend(more);
    },
    missing: |asks, granted| named("env", beyond(&asks.env, &granted.env)),
    open: |_| Vec::new(),
    names: |granted| named("env", &granted.env),
    keys: |granted| list("env", &granted.env).into_iter().collect(),
    acts: |_| false,
};

fn read(members: &Members<'_>) -> Read<Vec<String>> {
    let names = members.texts("env")?;
    match names.iter().find(|name| name.is_empty() || name.contains(['=', '*'])) {
        Some(name) => Err(members.names("env", name, "which is not a variable")),
        None => Ok(names),
    }
}
