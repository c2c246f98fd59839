//! A small store that outlives a call, for a hook with the grant `kv`. Every function is one step for all processes.

const abi = @import("abi.zig");

/// Who shares the entries, besides the plugin being the same.
pub const Scope = enum(i32) { session, project, user };

/// Why nothing was read or changed. `name` has the contract's word for it.
pub const Error = error{ NotGranted, NoPlace, BadSize, Quota, NotANumber, Busy };

/// The contract's word for an error: "not-granted".
pub fn name(failure: Error) []const u8 {
    return switch (failure) {
        error.NotGranted => "not-granted",
        error.NoPlace => "no-place",
        error.BadSize => "bad-size",
        error.Quota => "quota",
        error.NotANumber => "not-a-number",
        error.Busy => "busy",
    };
}

/// The value of this key, if it has one.
pub fn get(scope: Scope, key: []const u8) Error!?[]const u8 {
    var result: abi.Outcomes(abi.Option(abi.Text), u8) = undefined;
    import.get(@backingInt(scope), key.ptr, key.len, &result);
    if (result.tag != 0) return failed(result.value.bad);
    const value = result.value.good.get() orelse return null;
    return value.slice();
}

/// Gives the key this value, whatever it had.
pub fn set(scope: Scope, key: []const u8, value: []const u8) Error!void {
    var result: Done = undefined;
    import.set(@backingInt(scope), key.ptr, key.len, value.ptr, value.len, &result);
    if (result.tag != 0) return failed(result.failure);
}

/// Takes the key away. It need not be there.
pub fn delete(scope: Scope, key: []const u8) Error!void {
    var result: Done = undefined;
    import.delete(@backingInt(scope), key.ptr, key.len, &result);
    if (result.tag != 0) return failed(result.failure);
}

/// The keys that begin so, in the order of their bytes, the first 1000 of them.
pub fn keys(scope: Scope, prefix: []const u8) Error![]const abi.Text {
    var result: abi.Outcomes(abi.List(abi.Text), u8) = undefined;
    import.keys(@backingInt(scope), prefix.ptr, prefix.len, &result);
    return if (result.tag == 0) result.value.good.slice() else failed(result.value.bad);
}

/// Adds to a number, and says what it is now. A key without a value counts as 0.
pub fn increment(scope: Scope, key: []const u8, by: i64) Error!i64 {
    var result: abi.Outcomes(i64, u8) = undefined;
    import.increment(@backingInt(scope), key.ptr, key.len, by, &result);
    return if (result.tag == 0) result.value.good else failed(result.value.bad);
}

/// Gives the key a value if it has the value `old` (null: if it has none), and says if it did.
pub fn swap(scope: Scope, key: []const u8, old: ?[]const u8, new: []const u8) Error!bool {
    var result: abi.Outcomes(bool, u8) = undefined;
    const before = old orelse "";
    import.swap(
        @backingInt(scope),
        key.ptr,
        key.len,
        @intFromBool(old != null),
        before.ptr,
        before.len,
        new.ptr,
        new.len,
        &result,
    );
    return if (result.tag == 0) result.value.good else failed(result.value.bad);
}

const Done = extern struct { tag: u8, failure: u8 };

fn failed(code: u8) Error {
    return switch (code) {
        0 => error.NotGranted,
        1 => error.NoPlace,
        2 => error.BadSize,
        3 => error.Quota,
        4 => error.NotANumber,
        else => error.Busy,
    };
}

const import = struct {
    const library = "hookbox:hook/kv@0.2.0";
    const Bytes = [*]const u8;
    const get = @extern(
        *const fn (i32, Bytes, usize, *abi.Outcomes(abi.Option(abi.Text), u8)) callconv(.c) void,
        .{ .name = "get", .library_name = library },
    );
    const set = @extern(
        *const fn (i32, Bytes, usize, Bytes, usize, *Done) callconv(.c) void,
        .{ .name = "set", .library_name = library },
    );
    const delete = @extern(
        *const fn (i32, Bytes, usize, *Done) callconv(.c) void,
        .{ .name = "delete", .library_name = library },
    );
    const keys = @extern(
        *const fn (i32, Bytes, usize, *abi.Outcomes(abi.List(abi.Text), u8)) callconv(.c) void,
        .{ .name = "keys", .library_name = library },
    );
    const increment = @extern(
        *const fn (i32, Bytes, usize, i64, *abi.Outcomes(i64, u8)) callconv(.c) void,
        .{ .name = "increment", .library_name = library },
    );
    const swap = @extern(
        *const fn (i32, Bytes, usize, i32, Bytes, usize, Bytes, usize, *abi.Outcomes(bool, u8)) callconv(.c) void,
        .{ .name = "swap", .library_name = library },
    );
};
