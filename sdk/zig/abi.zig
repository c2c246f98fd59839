//! The world `hookbox:hook/hook@0.2.0` as the canonical ABI lays it out in memory: a record is an `extern struct` of its fields, a text a
//! pointer and a length, an option a byte before its value.

const std = @import("std");
const memory = @import("memory.zig");

/// UTF-8, or bytes.
pub const Text = extern struct {
    pointer: ?[*]const u8 = null,
    length: usize = 0,

    pub fn of(bytes: []const u8) Text {
        return .{ .pointer = bytes.ptr, .length = bytes.len };
    }

    pub fn slice(text: Text) []const u8 {
        const pointer = text.pointer orelse return "";
        return pointer[0..text.length];
    }

    /// The same bytes?
    pub fn is(text: Text, other: []const u8) bool {
        return std.mem.eql(u8, text.slice(), other);
    }

    pub fn format(text: Text, writer: *std.Io.Writer) std.Io.Writer.Error!void {
        try writer.writeAll(text.slice());
    }
};

pub fn List(comptime Item: type) type {
    return extern struct {
        pointer: ?[*]const Item = null,
        length: usize = 0,

        pub fn of(items: []const Item) @This() {
            return .{ .pointer = items.ptr, .length = items.len };
        }

        pub fn slice(list: @This()) []const Item {
            const pointer = list.pointer orelse return &.{};
            return pointer[0..list.length];
        }
    };
}

pub fn Option(comptime Value: type) type {
    return extern struct {
        tag: u8,
        value: Value,

        pub const none: @This() = .{ .tag = 0, .value = std.mem.zeroes(Value) };

        pub fn of(value: Value) @This() {
            return .{ .tag = 1, .value = value };
        }

        pub fn get(option: @This()) ?Value {
            return if (option.tag == 0) null else option.value;
        }
    };
}

/// What a tool does, whatever an agent calls it.
pub const ToolClass = enum(u8) { shell, file_read, file_write, search, web, mcp, agent, other };

/// A tool call, in the agent's own words and in ours.
pub const ToolCall = extern struct {
    /// The agent's name for the tool: "Bash", "run_shell_command".
    name: Text,
    class: ToolClass,
    /// The command line, for a shell tool.
    command: Option(Text),
    /// The files that the call names, absolute, lexically normalised.
    paths: List(Text),
    /// The agent's arguments, as JSON.
    input: Text,
    /// The result, after the call, as JSON.
    output: Option(Text),
};

/// The verdict in its memory.
pub const Verdict = extern struct { tag: u8, code: Text = .{}, text: Text = .{} };

/// What a chain came to, for hooks that only observe.
pub const Outcome = extern struct {
    verdict: Verdict,
    /// The names of the hooks that said so.
    deciders: List(Text),
    /// The rewritable part as the chain left it, if the chain changed it, as JSON.
    rewritten: Option(Text),
    /// The names of the hooks that failed.
    failed: List(Text),
};

/// One lifecycle moment, before or after something happens.
pub const Event = extern struct {
    /// Unique for this event.
    id: Text,
    /// Canonical name, as in `hookbox.events`.
    name: Text,
    /// The dialect it came in: "claude-code".
    agent: Text,
    /// Its name in that dialect: "PreToolUse".
    agent_event: Text,
    /// The agent's session; empty if the caller named none.
    session: Text,
    /// The agent's working directory, absolute; empty if the caller named none.
    cwd: Text,
    /// Milliseconds since the Unix epoch.
    time: u64,
    /// The tool call that the event is about: `event.tool.get()`.
    tool: Option(ToolCall),
    /// Everything else that the event carries: a JSON object.
    payload: Text,
    /// The rewritable part as the caller sent it, if a transform before this hook changed it, as JSON.
    original: Option(Text),
    /// What the chain came to. Only observers have it.
    outcome: Option(Outcome),

    /// The command line, if the event is about a tool that runs one.
    pub fn command(event: Event) ?Text {
        const tool = event.tool.get() orelse return null;
        return if (tool.class == .shell) tool.command.get() else null;
    }
};

pub const Rewrite = extern struct { tag: u8, json: Text };

pub const Answer = extern struct {
    verdict: Verdict,
    rewrite: Option(Rewrite),
    context: Option(Text),
    notice: Option(Text),
    stop: Option(Text),
    extra: Option(Text),
};

pub const Result = extern struct { tag: u8, value: extern union { answer: Answer, failure: Text } };

/// What an import with an error leaves.
pub fn Outcomes(comptime Good: type, comptime Bad: type) type {
    return extern struct { tag: u8, value: extern union { good: Good, bad: Bad } };
}

pub const Header = extern struct { name: Text, value: Text };
pub const Response = extern struct { status: u16, headers: List(Header), body: Text };
pub const HttpError = extern struct { tag: u8, text: Text };

const log = "hookbox:hook/log@0.2.0";
pub const log_write = @extern(*const fn (i32, [*]const u8, usize) callconv(.c) void, .{ .name = "write", .library_name = log });
const config = "hookbox:hook/config@0.2.0";
pub const config_get = @extern(*const fn (*Text) callconv(.c) void, .{ .name = "get", .library_name = config });
const source = "hookbox:hook/source@0.2.0";
pub const source_read = @extern(*const fn (*Text) callconv(.c) void, .{ .name = "read", .library_name = source });
const clock = "hookbox:hook/clock@0.2.0";
pub const clock_now = @extern(*const fn () callconv(.c) u64, .{ .name = "now", .library_name = clock });
const random = "hookbox:hook/random@0.2.0";
pub const random_bytes = @extern(*const fn (u32, *Text) callconv(.c) void, .{ .name = "bytes", .library_name = random });

/// What an import hands over as a whole.
pub fn received(import: *const fn (*Text) callconv(.c) void) []const u8 {
    var text: Text = undefined;
    import(&text);
    return text.slice();
}

/// The host asks for memory here, before it hands something over.
pub fn reallocate(old: ?[*]u8, old_size: usize, alignment: usize, size: usize) callconv(.c) [*]u8 {
    const new = memory.allocator.rawAlloc(@max(size, 1), .fromByteUnits(alignment), 0) orelse @trap();
    if (old) |before| @memcpy(new[0..@min(old_size, size)], before[0..@min(old_size, size)]);
    return new;
}

comptime {
    // As the contract says that they are.
    std.debug.assert(@sizeOf(ToolCall) == 52);
    std.debug.assert(@sizeOf(Outcome) == 48);
    std.debug.assert(@offsetOf(Event, "payload") == 112);
    std.debug.assert(@sizeOf(Answer) == 84);
}
