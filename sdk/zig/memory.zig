//! The memory of one call: an arena that is there from the start, then pages as they are needed.
//!
//! Every call meets a fresh instance, and an instance whose memory grows makes the host change the protection of its pages. A short
//! call that never grows is over sooner. Pages of the arena that nobody touches cost nothing.

const std = @import("std");
const Alignment = std.mem.Alignment;

/// Enough for a hook on an event of 64 KiB.
const arena_bytes = 512 << 10;

// Zeroes, and not undefined: of these the component's file has nothing in it.
var arena: [arena_bytes]u8 = @splat(0);
var within = std.heap.FixedBufferAllocator.init(&arena);
const beyond = std.heap.wasm_allocator;

pub const allocator: std.mem.Allocator = .{
    .ptr = undefined,
    .vtable = &.{ .alloc = alloc, .resize = resize, .remap = remap, .free = free },
};

fn alloc(_: *anyopaque, length: usize, alignment: Alignment, address: usize) ?[*]u8 {
    return within.allocator().rawAlloc(length, alignment, address) orelse beyond.rawAlloc(length, alignment, address);
}

fn resize(_: *anyopaque, memory: []u8, alignment: Alignment, length: usize, address: usize) bool {
    return owner(memory).rawResize(memory, alignment, length, address);
}

fn remap(_: *anyopaque, memory: []u8, alignment: Alignment, length: usize, address: usize) ?[*]u8 {
    return owner(memory).rawRemap(memory, alignment, length, address);
}

fn free(_: *anyopaque, memory: []u8, alignment: Alignment, address: usize) void {
    owner(memory).rawFree(memory, alignment, address);
}

fn owner(memory: []u8) std.mem.Allocator {
    return if (within.ownsSlice(memory)) within.allocator() else beyond;
}
