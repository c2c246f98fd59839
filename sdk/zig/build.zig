//! For builds of others: the module `hookbox`.

const std = @import("std");

pub fn build(b: *std.Build) void {
    _ = b.addModule("hookbox", .{ .root_source_file = b.path("hookbox.zig") });
}
