//! The guest's memory: an arena that is there from the start, then growth in large steps.
//!
//! Every call meets a fresh instance, and an instance whose memory grows makes the host change the protection of its
//! pages, once to grow and once to start the next instance. A short call that never grows saves a third of its time.

use std::{
    alloc::Layout,
    arch::wasm32::{memory_grow, memory_size},
    mem::MaybeUninit,
};

use talc::{
    base::{CHUNK_UNIT, Talc, binning::Binning},
    cell::TalcSyncCell,
    source::Source,
    wasm::WasmBinning,
};

/// Enough for a hook on an event of 64 KiB. Untouched pages cost nothing.
const ARENA_BYTES: usize = 512 << 10;
/// Least growth: few steps for a large event.
const GROWTH_BYTES: usize = 1 << 20;
const PAGE_BYTES: usize = 64 << 10;

static mut ARENA: [MaybeUninit<u8>; ARENA_BYTES] = [MaybeUninit::uninit(); ARENA_BYTES];

#[global_allocator]
static ALLOCATOR: TalcSyncCell<ArenaThenGrowth, WasmBinning> =
    TalcSyncCell::new_wasm(ArenaThenGrowth { arena_taken: false });

#[derive(Debug)]
struct ArenaThenGrowth {
    arena_taken: bool,
}

// SAFETY: never allocates, and reaches the allocator through the reference it is given alone.
unsafe impl Source for ArenaThenGrowth {
    fn acquire<B: Binning>(talc: &mut Talc<Self, B>, layout: Layout) -> Result<(), ()> {
        let (base, bytes) = if talc.source.arena_taken {
            grow(layout)?
        } else {
            talc.source.arena_taken = true;
            ((&raw mut ARENA).cast(), ARENA_BYTES)
        };
        // SAFETY: the arena and pages that were grown a moment ago belong to nobody else.
        unsafe { talc.claim(base, bytes) }.map(drop).ok_or(())
    }
}

/// Allocates new pages, enough for `layout` and the allocator's own bookkeeping.
fn grow(layout: Layout) -> Result<(*mut u8, usize), ()> {
    let needed = layout.size().saturating_add(layout.align()).saturating_add(8 * CHUNK_UNIT);
    let pages = needed.max(GROWTH_BYTES).div_ceil(PAGE_BYTES);
    // Near the hook's limit the large step fails where the needed one fits.
    for pages in [pages, needed.div_ceil(PAGE_BYTES)] {
        let base = memory_size::<0>() * PAGE_BYTES;
        if memory_grow::<0>(pages) != usize::MAX {
            return Ok((base as *mut u8, pages * PAGE_BYTES));
        }
    }
    Err(())
}
