//! Denies to remove everything, and what the settings protect: `config = { protected = ["/srv"] }`.

const std = @import("std");
const hookbox = @import("hookbox");

comptime {
    hookbox.hook(handle);
}

const Settings = struct {
    protected: []const []const u8 = &.{},
};

fn handle(event: hookbox.Event) !hookbox.Answer {
    if (!event.name.is(hookbox.events.tool_before)) return .{};
    const line = event.command() orelse return .{};
    const command = std.mem.trim(u8, line.slice(), " ");
    if (std.mem.eql(u8, command, "rm -rf /")) {
        return hookbox.deny("removes-root", "rm -rf / removes everything");
    }
    const folder = std.mem.cutPrefix(u8, command, "rm -rf ") orelse return .{};
    const settings = try hookbox.settings(Settings);
    for (settings.protected) |protected| {
        if (std.mem.eql(u8, folder, protected)) {
            return hookbox.deny("removes-protected", hookbox.format("{s} removes what is protected", .{command}));
        }
    }
    return .{};
}
