//! Identity of a hook: its place, its name, and its content.

use std::{
    fmt,
    hash::{Hash, Hasher},
    path::PathBuf,
};

use hookbox_model::Layer;
use sha2::{Digest, Sha256};

use super::{Condition, HookSpec};
use crate::interfaces::Contract;

/// Identity of a hook. A changed hook has another identity, down to the path of an address or the value of a header; a hook that was only
/// moved within its file keeps its identity.
///
/// `Display` is its name in state files: one line, with 16 digits of the content's digest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HookId {
    /// The layer.
    pub layer: Layer,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// Its name, unique within its layer.
    pub name: String,
    /// Digest of its content without its name.
    pub content: ContentDigest,
}

/// SHA-256 over the values of a hook. It does not use text made for people, which leaves out secrets and prints addresses of functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentDigest([u8; 32]);

/// Number of its digits in a name: more than enough to distinguish the versions of one hook.
const DIGITS: usize = 16;

impl HookId {
    /// Returns the identity of this hook.
    pub fn of_spec(spec: &HookSpec) -> Self {
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
        // Never shorter: the digest has 64 digits.
        write!(f, "{layer}:{name}:{}:{file}", content.get(..DIGITS).unwrap_or(&content))
    }
}

impl ContentDigest {
    /// Returns the digest of the hook's content without its name.
    pub fn of_hook(spec: &HookSpec) -> Self {
        let HookSpec { events, priority, once, .. } = spec;
        Self::hash_value(&(Self::of_call(spec), events, priority, once))
    }

    /// Returns the digest of everything that a call depends on: two hooks with one digest make the same call.
    pub fn of_call(spec: &HookSpec) -> Self {
        let HookSpec { target, contract, condition, sequential, in_role, origin, .. } = spec;
        let HookSpec { config, tool, role, on_failure, limits, .. } = spec;
        let contract = contract.map(Contract::id);
        // The text of a matcher determines its meaning.
        let condition = condition.as_ref().map(Condition::written);
        let call = (target, contract, condition, sequential, in_role, &origin.written);
        Self::hash_value(&(call, config, tool, role, on_failure, limits))
    }

    fn hash_value(value: &impl Hash) -> Self {
        let mut bytes = Bytes(Sha256::new());
        value.hash(&mut bytes);
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

/// Collects the bytes that a value hashes. `Hash` includes lengths and variants, so different values are different bytes.
struct Bytes(Sha256);

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Not used: the digest is taken instead.
    fn finish(&self) -> u64 {
        0
    }
}
