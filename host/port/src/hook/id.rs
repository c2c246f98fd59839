//! Which hook it is: where it stands, its name, and what it says.

use std::{
    fmt,
    hash::{Hash, Hasher},
    path::PathBuf,
};

use hookbox_model::Layer;
use sha2::{Digest, Sha256};

use super::{Condition, HookSpec};
use crate::port::Contract;

/// What tells a hook from every other one. A hook that was changed is another one, down to the path of an address or the
/// value of a header; one that was only moved within its file is the same.
///
/// `Display` is its name in files that are kept: one line, with 16 digits of the content's digest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HookId {
    /// The layer.
    pub layer: Layer,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// Its name, unique within its layer.
    pub name: String,
    /// All that it says but its name.
    pub content: ContentDigest,
}

/// SHA-256 over what a hook says. It follows from the values and from nothing that is made for people to read, which leaves
/// out secrets and prints addresses of functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentDigest([u8; 32]);

/// Digits of it in a name: more than enough to tell the versions of one hook apart.
const DIGITS: usize = 16;

impl HookId {
    /// That of this hook.
    pub fn of(spec: &HookSpec) -> Self {
        Self {
            layer: spec.origin.layer,
            file: spec.origin.file.clone(),
            name: spec.name.clone(),
            content: ContentDigest::of_hook(spec),
        }
    }
}

impl fmt::Display for HookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layer, file, name, content } = self;
        let file = file.as_ref().map(|file| file.display().to_string()).unwrap_or_default();
        let content = content.to_string();
        write!(f, "{layer}:{name}:{}:{file}", content.get(..DIGITS).unwrap_or(&content))
    }
}

impl ContentDigest {
    /// Of all that the hook says but its name.
    pub fn of_hook(spec: &HookSpec) -> Self {
        let HookSpec { events, priority, once, .. } = spec;
        Self::of(&(Self::of_call(spec), events, priority, once))
    }

    /// Of all that a call of it depends on: two hooks with the same make the very same call.
    pub fn of_call(spec: &HookSpec) -> Self {
        let HookSpec { target, contract, condition, sequential, in_role, origin, .. } = spec;
        let HookSpec { config, tool, role, on_failure, limits, .. } = spec;
        let contract = contract.map(Contract::id);
        // What a matcher means follows from what it says.
        let condition = condition.as_ref().map(Condition::written);
        let call = (target, contract, condition, sequential, in_role, &origin.written);
        Self::of(&(call, config, tool, role, on_failure, limits))
    }

    fn of(said: &impl Hash) -> Self {
        let mut bytes = Bytes(Sha256::new());
        said.hash(&mut bytes);
        Self(bytes.0.finalize().into())
    }
}

impl fmt::Display for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Takes what a value hashes. `Hash` tells lengths and variants, so different values are different bytes.
struct Bytes(Sha256);

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Nobody asks: the digest is taken instead.
    fn finish(&self) -> u64 {
        0
    }
}
