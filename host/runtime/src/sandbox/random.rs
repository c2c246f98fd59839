//! Random bytes for a guest.

use sha2::{Digest, Sha256};

use super::{
    bindings::hookbox::hook::random::Host,
    host_call_budget::Price,
    store::State,
    world_interfaces::{Interface, interface},
};

pub(super) const RANDOM: Interface = interface!("random", random, "bytes derived from the event; with the grant `random`, random ones", acts: false);

/// Price: a hash for each 32 bytes.
const PRICE: Price = Price { call: 300, byte: 20 };

/// Most bytes of one call.
pub(super) const MAX_BYTES: usize = 4096;

impl Host for State {
    fn bytes(&mut self, count: u32) -> wasmtime::Result<Vec<u8>> {
        self.host_calls.begin_call(PRICE, MAX_BYTES.min(count as usize))?;
        let count = usize::try_from(count).ok().filter(|count| *count <= MAX_BYTES);
        let Some(count) = count else {
            return Err(wasmtime::Error::msg(format!("more than {MAX_BYTES} random bytes in one call")));
        };
        let Self { source, config, time, powers, .. } = self;
        powers.random.draw_bytes(count, || derive_seed(source.as_str(), config.as_str(), *time))
    }
}

/// Bytes derived from the event, or with the grant `random` from the system.
#[derive(Debug)]
pub(super) enum Random {
    /// SHA-256 over the seed and a counter. The seed is computed when it is first needed: most guests never use it.
    Event { seed: Option<[u8; 32]>, block: u64 },
    /// Random bytes of the system.
    Machine,
}

impl Random {
    pub(super) fn new(granted: bool) -> Self {
        if granted { Self::Machine } else { Self::Event { seed: None, block: 0 } }
    }

    /// Returns `count` bytes; `event` is called at most once.
    pub(super) fn draw_bytes(
        &mut self,
        count: usize,
        event: impl FnOnce() -> [u8; 32],
    ) -> wasmtime::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        match self {
            Self::Machine => {
                getrandom::fill(&mut bytes).map_err(|error| wasmtime::Error::msg(error.to_string()))?;
            }
            Self::Event { seed, block } => {
                let seed = *seed.get_or_insert_with(event);
                for part in bytes.chunks_mut(32) {
                    let next = Sha256::new().chain_update(seed).chain_update(block.to_le_bytes()).finalize();
                    part.iter_mut().zip(next).for_each(|(byte, random)| *byte = random);
                    *block += 1;
                }
            }
        }
        Ok(bytes)
    }
}

/// Returns the seed of a call, derived from everything that distinguishes the call from others.
pub(super) fn derive_seed(source: &str, config: &str, time: u64) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in [source.as_bytes(), config.as_bytes(), &time.to_le_bytes()] {
        // Without the lengths, two calls whose parts are divided differently would have one seed.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw_counts(mut random: Random, counts: &[usize]) -> Vec<u8> {
        let draw = |count: &usize| random.draw_bytes(*count, || derive_seed("{}", "{}", 1)).unwrap();
        counts.iter().flat_map(draw).collect()
    }

    #[test]
    fn the_events_bytes_are_the_same_each_time_and_differ_within_a_call() {
        let bytes = draw_counts(Random::new(false), &[40, 32]);
        assert_eq!(bytes, draw_counts(Random::new(false), &[40, 32]));
        assert_ne!(bytes[..32], bytes[40..]);
        assert_ne!(derive_seed("{}", "{}", 1), derive_seed("{}", "{}", 2));
        assert_ne!(derive_seed("{}{", "}", 1), derive_seed("{}", "{}", 1));
    }

    #[test]
    fn the_machines_bytes_are_never_the_same() {
        assert_ne!(draw_counts(Random::new(true), &[32]), draw_counts(Random::new(true), &[32]));
    }
}
