//! Write hooks for coding agents in Zig: one function, one WebAssembly component.
//!
//!     const hookbox = @import("hookbox");
//!
//!     comptime {
//!         hookbox.hook(handle);
//!     }
//!
//!     fn handle(event: hookbox.Event) !hookbox.Answer {
//!         const command = event.command() orelse return .{};
//!         if (command.is("rm -rf /")) return hookbox.deny("removes-root", "rm -rf / removes everything");
//!         return .{};
//!     }
//!
//! Nothing is ever to be freed: every event meets a fresh instance, which is thrown away as a whole. `hookbox.allocator` hands out its
//! memory.

const std = @import("std");
const abi = @import("abi.zig");
const memory = @import("memory.zig");

pub const events = @import("events.zig");
pub const http = @import("http.zig");
pub const kv = @import("kv.zig");

pub const Event = abi.Event;
pub const Outcome = abi.Outcome;
pub const Text = abi.Text;
pub const ToolCall = abi.ToolCall;
pub const ToolClass = abi.ToolClass;

/// Memory of this instance.
pub const allocator = memory.allocator;

/// Makes a function what this component exports. Once per component. An error is a failed hook; the configuration decides what that
/// means, by default a deny. Its text is that of `fail`, else the error's name.
pub fn hook(comptime handle: fn (event: Event) anyerror!Answer) void {
    const exported = struct {
        fn call(event: *const Event) callconv(.c) *const abi.Result {
            const result = allocator.create(abi.Result) catch @trap();
            if (handle(event.*)) |answer| {
                result.* = .{ .tag = 0, .value = .{ .answer = lowered(answer) } };
            } else |failure| {
                result.* = .{ .tag = 1, .value = .{ .failure = .of(failed orelse @errorName(failure)) } };
            }
            return result;
        }
    };
    @export(&exported.call, .{ .name = "handle" });
    @export(&abi.reallocate, .{ .name = "cabi_realloc" });
}

// ---- What a hook says ----

/// What a hook makes of an event. Every part is optional: `.{}` has no opinion.
pub const Answer = struct {
    verdict: Verdict = .none,
    /// What should be different about the event.
    rewrite: ?Rewrite = null,
    /// Text for the model.
    context: ?[]const u8 = null,
    /// Text for the person.
    notice: ?[]const u8 = null,
    /// Ends the run, and says why.
    stop: ?[]const u8 = null,
    /// A JSON object with fields that only this event knows.
    extra: ?[]const u8 = null,
};

pub const Verdict = union(enum) {
    /// No opinion, which is not `allow`.
    none,
    /// Yes; it may skip a prompt.
    allow: Reason,
    /// Only if the person says so.
    ask: Reason,
    /// No.
    deny: Reason,
};

pub const Reason = struct {
    /// Stable: lower-case words joined by hyphens, at most 64 bytes.
    code: []const u8,
    /// For people.
    text: []const u8,
};

/// A change to the part of the event that can be rewritten, as JSON. `json` writes it.
pub const Rewrite = union(enum) {
    /// The whole part, anew.
    replace: []const u8,
    /// A merge patch (RFC 7396) for it.
    merge: []const u8,
};

/// Yes; it may skip a prompt.
pub fn allow(code: []const u8, text: []const u8) Answer {
    return .{ .verdict = .{ .allow = .{ .code = code, .text = text } } };
}

/// Only if the person says so.
pub fn ask(code: []const u8, text: []const u8) Answer {
    return .{ .verdict = .{ .ask = .{ .code = code, .text = text } } };
}

/// No.
pub fn deny(code: []const u8, text: []const u8) Answer {
    return .{ .verdict = .{ .deny = .{ .code = code, .text = text } } };
}

var failed: ?[]const u8 = null;

/// The hook has failed, and why: `return hookbox.fail("no branch is named {s}", .{name});`
pub fn fail(comptime template: []const u8, values: anytype) error{Failed} {
    failed = format(template, values);
    return error.Failed;
}

/// A text of a template, as `std.fmt` has them, and its values.
pub fn format(comptime template: []const u8, values: anytype) []const u8 {
    return std.fmt.allocPrint(allocator, template, values) catch @trap();
}

/// A value as JSON.
pub fn json(value: anytype) []const u8 {
    return std.json.Stringify.valueAlloc(allocator, value, .{}) catch @trap();
}

// ---- What a hook is given ----

/// This hook's own settings, as a type of its own. A setting that the type does not know is an error, and so is one that it has no
/// default for and that is not there.
pub fn settings(comptime Type: type) error{Failed}!Type {
    const own = abi.received(abi.config_get);
    return std.json.parseFromSliceLeaky(Type, allocator, own, .{}) catch |problem|
        fail("the settings are not as this hook needs them: {s}", .{@errorName(problem)});
}

/// The caller's own JSON. `std.json` reads it.
pub fn source() []const u8 {
    return abi.received(abi.source_read);
}

/// Milliseconds since the Unix epoch: the event's own time, unless the hook has the grant `clock`.
pub fn now() u64 {
    return abi.clock_now();
}

/// Fills the bytes, at most 4096. They follow from the event and the settings, unless the hook has the grant `random`.
pub fn random(bytes: []u8) void {
    var list: abi.Text = undefined;
    abi.random_bytes(@intCast(bytes.len), &list);
    @memcpy(bytes, list.slice());
}

/// Lines in the call's report.
pub const log = struct {
    pub fn trace(comptime template: []const u8, values: anytype) void {
        write(0, template, values);
    }

    pub fn debug(comptime template: []const u8, values: anytype) void {
        write(1, template, values);
    }

    pub fn info(comptime template: []const u8, values: anytype) void {
        write(2, template, values);
    }

    pub fn warn(comptime template: []const u8, values: anytype) void {
        write(3, template, values);
    }

    pub fn err(comptime template: []const u8, values: anytype) void {
        write(4, template, values);
    }

    fn write(level: i32, comptime template: []const u8, values: anytype) void {
        const line = format(template, values);
        abi.log_write(level, line.ptr, line.len);
    }
};

fn lowered(answer: Answer) abi.Answer {
    return .{
        .verdict = switch (answer.verdict) {
            .none => .{ .tag = 0 },
            .allow => |reason| .{ .tag = 1, .code = .of(reason.code), .text = .of(reason.text) },
            .ask => |reason| .{ .tag = 2, .code = .of(reason.code), .text = .of(reason.text) },
            .deny => |reason| .{ .tag = 3, .code = .of(reason.code), .text = .of(reason.text) },
        },
        .rewrite = if (answer.rewrite) |change| .of(switch (change) {
            .replace => |part| .{ .tag = 0, .json = .of(part) },
            .merge => |patch| .{ .tag = 1, .json = .of(patch) },
        }) else .none,
        .context = optional(answer.context),
        .notice = optional(answer.notice),
        .stop = optional(answer.stop),
        .extra = optional(answer.extra),
    };
}

fn optional(value: ?[]const u8) abi.Option(abi.Text) {
    return if (value) |slice| .of(.of(slice)) else .none;
}
