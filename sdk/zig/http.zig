//! Requests to servers, for a hook with rules in the grant `http` that cover them.

const std = @import("std");
const hookbox = @import("hookbox.zig");
const abi = @import("abi.zig");

/// A header: `.{ .name = .of("accept"), .value = .of("text/plain") }`.
pub const Header = abi.Header;

pub const Request = struct {
    method: []const u8 = "GET",
    url: []const u8,
    headers: []const Header = &.{},
    body: []const u8 = "",
    /// Milliseconds to wait for the whole response; if not said, as long as the hook's time lasts.
    timeout: ?u32 = null,
};

/// What came back, whatever its status. No redirect is followed.
pub const Response = struct {
    status: u16,
    headers: []const Header,
    body: []const u8,
};

/// Why there is no response. `name` has the contract's word for it, `why` a text for people.
pub const Error = error{ Refused, Invalid, Unreachable, Timeout, Limit };

/// What the host said about the last error.
pub var why: []const u8 = "";

/// The contract's word for an error: "refused".
pub fn name(failure: Error) []const u8 {
    return switch (failure) {
        error.Refused => "refused",
        error.Invalid => "invalid",
        error.Unreachable => "unreachable",
        error.Timeout => "timeout",
        error.Limit => "limit",
    };
}

pub fn get(url: []const u8) Error!Response {
    return send(.{ .url = url });
}

/// Sends it and waits for the whole response.
pub fn send(request: Request) Error!Response {
    var result: abi.Outcomes(abi.Response, abi.HttpError) = undefined;
    import(
        request.method.ptr,
        request.method.len,
        request.url.ptr,
        request.url.len,
        request.headers.ptr,
        request.headers.len,
        request.body.ptr,
        request.body.len,
        @intFromBool(request.timeout != null),
        request.timeout orelse 0,
        &result,
    );
    if (result.tag == 0) {
        const response = result.value.good;
        return .{ .status = response.status, .headers = response.headers.slice(), .body = response.body.slice() };
    }
    const failure = failed(result.value.bad.tag);
    why = if (failure == error.Timeout) "" else result.value.bad.text.slice();
    return failure;
}

/// Every byte that is no ASCII letter or digit as `%XX`.
pub fn percentEncode(part: []const u8) []const u8 {
    const digits = "0123456789ABCDEF";
    const encoded = hookbox.allocator.alloc(u8, part.len * 3) catch @trap();
    var length: usize = 0;
    for (part) |byte| {
        const bytes: []const u8 = if (std.ascii.isAlphanumeric(byte))
            &.{byte}
        else
            &.{ '%', digits[byte >> 4], digits[byte & 15] };
        @memcpy(encoded[length..][0..bytes.len], bytes);
        length += bytes.len;
    }
    return encoded[0..length];
}

fn failed(code: u8) Error {
    return switch (code) {
        0 => error.Refused,
        1 => error.Invalid,
        2 => error.Unreachable,
        3 => error.Timeout,
        else => error.Limit,
    };
}

const Bytes = [*]const u8;
const import = @extern(
    *const fn (
        Bytes,
        usize,
        Bytes,
        usize,
        [*]const Header,
        usize,
        Bytes,
        usize,
        i32,
        u32,
        *abi.Outcomes(abi.Response, abi.HttpError),
    ) callconv(.c) void,
    .{ .name = "send", .library_name = "hookbox:hook/http@0.2.0" },
);
