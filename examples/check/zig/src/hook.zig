//! The check that every language has, in Zig.

const std = @import("std");
const hookbox = @import("hookbox");

comptime {
    hookbox.hook(handle);
}

const Settings = struct {
    greeting: ?[]const u8 = null,
    most: ?i64 = null,
    server: ?[]const u8 = null,
};

fn handle(event: hookbox.Event) !hookbox.Answer {
    hookbox.log.info("saw {f}", .{event.name});
    if (event.name.is(hookbox.events.session_start)) {
        const settings = try hookbox.settings(Settings);
        return .{ .context = settings.greeting };
    }
    if (!event.name.is(hookbox.events.tool_before)) return .{};
    const command = event.command() orelse return .{};
    const settings = try hookbox.settings(Settings);
    if (settings.most) |most| {
        const calls = hookbox.kv.increment(.session, "calls", 1) catch |failure|
            return hookbox.fail("the store: {s}", .{hookbox.kv.name(failure)});
        if (calls > most) {
            return hookbox.ask("too-many-calls", hookbox.format("call {d} of {d}", .{ calls, most }));
        }
    }
    return judge(settings, command.slice());
}

fn judge(settings: Settings, command: []const u8) !hookbox.Answer {
    if (std.mem.eql(u8, std.mem.trim(u8, command, " "), "rm -rf /")) {
        return hookbox.deny("removes-root", "rm -rf / removes everything");
    }
    if (std.mem.cutPrefix(u8, command, "npm ")) |rest| {
        const instead = hookbox.format("pnpm {s}", .{rest});
        return .{ .rewrite = .{ .merge = hookbox.json(.{ .command = instead }) }, .notice = "pnpm instead of npm" };
    }
    if (std.mem.cutPrefix(u8, command, "deploy ")) |what| {
        if (settings.server) |server| return askServer(server, what);
    }
    return .{};
}

fn askServer(server: []const u8, what: []const u8) !hookbox.Answer {
    const url = hookbox.format("{s}/may?what={s}", .{ server, hookbox.http.percentEncode(what) });
    const response = hookbox.http.get(url) catch |failure|
        return hookbox.fail("the server: {s}", .{hookbox.http.name(failure)});
    return switch (response.status) {
        200 => .{},
        403 => hookbox.deny("server-said-no", response.body),
        else => |status| hookbox.fail("the server answered {d}", .{status}),
    };
}
