// Write hooks for coding agents in C: one function, one WebAssembly component.
//
// A hook is `hookbox_handle`, which its author writes. Everything else here is what it may use. Texts have a length and no zero byte at
// their end. No text is to be given to `free`: every event meets a fresh instance, which is thrown away as a whole. `hook.h` is generated
// from the contract and says what each type means.
//
// Where the signature ends in `...`, up to eight parts make one text. A part is a text, a string, or a whole number:
// `hookbox_deny(answer, "too-long", "the command has ", command.len, " bytes")`.
#ifndef HOOKBOX_H
#define HOOKBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events.h"
#include "hook.h"

typedef hook_event_t hookbox_event;
typedef hook_answer_t hookbox_answer;
typedef hookbox_hook_types_tool_call_t hookbox_tool_call;

// What the hook makes of an event. The answer has no opinion before anything is added to it. Returns true, or what `hookbox_fail`
// returns: then the hook has failed, and the configuration decides what that means, by default a deny.
bool hookbox_handle(const hookbox_event *event, hookbox_answer *answer);

// ---- Texts ----

typedef hook_string_t hookbox_text;

// hookbox_text hookbox_join(...): one text of all parts.
#define hookbox_join(...)                                                                                              \
    hookbox_join_parts((hookbox_text[]){HOOKBOX_PARTS(__VA_ARGS__)},                                                   \
                       sizeof((hookbox_text[]){HOOKBOX_PARTS(__VA_ARGS__)}) / sizeof(hookbox_text))

// The same bytes?
bool hookbox_equal(hookbox_text text, const char *other);
bool hookbox_same(hookbox_text one, hookbox_text other);
bool hookbox_starts_with(hookbox_text text, const char *beginning);
// Whether it begins so; what comes then is `rest`.
bool hookbox_after(hookbox_text text, const char *beginning, hookbox_text *rest);
// Without blanks, tabs and ends of lines at both ends.
hookbox_text hookbox_trim(hookbox_text text);
// Every byte that is no ASCII letter or digit as `%XX`.
hookbox_text hookbox_percent_encode(hookbox_text text);

// ---- The event ----

// Is it this event? `hookbox_is(event, HOOKBOX_TOOL_BEFORE)`
bool hookbox_is(const hookbox_event *event, const char *name);
// The command line, if the event is about a tool that runs one.
bool hookbox_command(const hookbox_event *event, hookbox_text *command);
// The caller's own JSON.
hookbox_text hookbox_source(void);

// ---- The answer ----

// A code is stable: lower-case words joined by hyphens, at most 64 bytes.
// void hookbox_allow(hookbox_answer *answer, const char *code, ...)
#define hookbox_allow(answer, code, ...) hookbox_decide(answer, HOOKBOX_HOOK_TYPES_VERDICT_ALLOW, code, hookbox_join(__VA_ARGS__))
// void hookbox_ask(hookbox_answer *answer, const char *code, ...)
#define hookbox_ask(answer, code, ...) hookbox_decide(answer, HOOKBOX_HOOK_TYPES_VERDICT_ASK, code, hookbox_join(__VA_ARGS__))
// void hookbox_deny(hookbox_answer *answer, const char *code, ...)
#define hookbox_deny(answer, code, ...) hookbox_decide(answer, HOOKBOX_HOOK_TYPES_VERDICT_DENY, code, hookbox_join(__VA_ARGS__))
// Text for the model: void hookbox_context(hookbox_answer *answer, ...)
#define hookbox_context(answer, ...) hookbox_give(&(answer)->context, hookbox_join(__VA_ARGS__))
// Text for the person: void hookbox_notice(hookbox_answer *answer, ...)
#define hookbox_notice(answer, ...) hookbox_give(&(answer)->notice, hookbox_join(__VA_ARGS__))
// Ends the run, and says why: void hookbox_stop(hookbox_answer *answer, ...)
#define hookbox_stop(answer, ...) hookbox_give(&(answer)->stop, hookbox_join(__VA_ARGS__))
// Puts this JSON in the place of the event's rewritable part: void hookbox_rewrite_replace(hookbox_answer *answer, ...)
#define hookbox_rewrite_replace(answer, ...) hookbox_rewrite(answer, HOOKBOX_HOOK_TYPES_REWRITE_REPLACE, hookbox_join(__VA_ARGS__))
// Changes it by this merge patch (RFC 7396): void hookbox_rewrite_merge(hookbox_answer *answer, ...)
#define hookbox_rewrite_merge(answer, ...) hookbox_rewrite(answer, HOOKBOX_HOOK_TYPES_REWRITE_MERGE, hookbox_join(__VA_ARGS__))
// Has it a verdict?
bool hookbox_decided(const hookbox_answer *answer);
// A JSON object with fields that only this event knows.
void hookbox_extra(hookbox_answer *answer, hookbox_text json);
// The hook has failed: `return hookbox_fail("no branch is named ", name);`
#define hookbox_fail(...) hookbox_fail_with(hookbox_join(__VA_ARGS__))

// ---- Settings and JSON ----

// This hook's own settings: a JSON object, `{}` if there are none.
hookbox_text hookbox_settings(void);
// What is at a place of a JSON text. Places are JSON pointers (RFC 6901): "/input/command", "/paths/0", "" for the whole. False if
// there is nothing, or something else.
bool hookbox_json_at(hookbox_text json, const char *pointer, hookbox_text *value);
bool hookbox_json_text(hookbox_text json, const char *pointer, hookbox_text *text);
bool hookbox_json_integer(hookbox_text json, const char *pointer, int64_t *number);
bool hookbox_json_bool(hookbox_text json, const char *pointer, bool *value);
// The object, or the array, that is there, as JSON.
bool hookbox_json_object(hookbox_text json, const char *pointer, hookbox_text *value);
bool hookbox_json_array(hookbox_text json, const char *pointer, hookbox_text *value);
// The string at this index, from 0, of an array.
bool hookbox_json_item(hookbox_text json, const char *pointer, uint32_t index, hookbox_text *text);
// The number of items of an array, or of members of an object.
bool hookbox_json_count(hookbox_text json, const char *pointer, uint32_t *count);
// The names of an object's members; none of what is no object.
hook_list_string_t hookbox_json_names(hookbox_text json, const char *pointer);
// A text as JSON, with its quotation marks.
hookbox_text hookbox_json_quote(hookbox_text text);

// ---- Lines in the call's report ----

#define hookbox_trace(...) hookbox_log(HOOKBOX_HOOK_LOG_LEVEL_TRACE, hookbox_join(__VA_ARGS__))
#define hookbox_debug(...) hookbox_log(HOOKBOX_HOOK_LOG_LEVEL_DEBUG, hookbox_join(__VA_ARGS__))
#define hookbox_info(...) hookbox_log(HOOKBOX_HOOK_LOG_LEVEL_INFO, hookbox_join(__VA_ARGS__))
#define hookbox_warn(...) hookbox_log(HOOKBOX_HOOK_LOG_LEVEL_WARN, hookbox_join(__VA_ARGS__))
#define hookbox_error(...) hookbox_log(HOOKBOX_HOOK_LOG_LEVEL_ERROR, hookbox_join(__VA_ARGS__))

// ---- The clock, and random bytes ----

// Milliseconds since the Unix epoch: the event's own time, unless the hook has the grant `clock`.
uint64_t hookbox_now(void);
// At most 4096 bytes, which follow from the event and the settings, unless the hook has the grant `random`.
void hookbox_random(uint8_t *bytes, uint32_t count);

// ---- What is kept between calls, with the grant `kv` ----

typedef enum {
    HOOKBOX_SESSION = HOOKBOX_HOOK_KV_SCOPE_SESSION,
    HOOKBOX_PROJECT = HOOKBOX_HOOK_KV_SCOPE_PROJECT,
    HOOKBOX_USER = HOOKBOX_HOOK_KV_SCOPE_USER,
} hookbox_scope;

// No error is NULL; an error is its name in the contract: "not-granted", "no-place", "bad-size", "quota", "not-a-number", "busy".
typedef const char *hookbox_kv_error;

// A key without a value is no error: `found` says it.
hookbox_kv_error hookbox_kv_get(hookbox_scope scope, const char *key, bool *found, hookbox_text *value);
hookbox_kv_error hookbox_kv_set(hookbox_scope scope, const char *key, hookbox_text value);
hookbox_kv_error hookbox_kv_delete(hookbox_scope scope, const char *key);
hookbox_kv_error hookbox_kv_keys(hookbox_scope scope, const char *prefix, hook_list_string_t *keys);
// Adds to a number, in one step for all processes. A key without a value counts as 0.
hookbox_kv_error hookbox_kv_increment(hookbox_scope scope, const char *key, int64_t by, int64_t *now);
// Gives the key a value if it has the value `old`, or if `old` is NULL and it has none.
hookbox_kv_error hookbox_kv_swap(hookbox_scope scope, const char *key, const hookbox_text *old, hookbox_text value, bool *done);

// ---- Requests to servers, with the grant `http` ----

typedef hookbox_hook_http_header_t hookbox_header;
typedef hookbox_hook_http_request_t hookbox_request;
typedef struct {
    uint16_t status;
    hookbox_text body;
    hookbox_hook_http_list_header_t headers;
} hookbox_response;

// No error is NULL; an error is its name in the contract: "refused", "invalid", "unreachable", "timeout", "limit". Then the body is a
// text about it for people.
typedef const char *hookbox_http_error;

hookbox_http_error hookbox_get(hookbox_text url, hookbox_response *response);
hookbox_http_error hookbox_post(hookbox_text url, const char *content_type, hookbox_text body, hookbox_response *response);
hookbox_http_error hookbox_send(hookbox_request *request, hookbox_response *response);

// ---- What the words above stand on ----

hookbox_text hookbox_join_parts(const hookbox_text *parts, size_t count);
hookbox_text hookbox_part_text(hookbox_text text);
hookbox_text hookbox_part_string(const char *string);
hookbox_text hookbox_part_signed(long long number);
hookbox_text hookbox_part_unsigned(unsigned long long number);
void hookbox_decide(hookbox_answer *answer, uint8_t verdict, const char *code, hookbox_text text);
void hookbox_give(hook_option_string_t *place, hookbox_text text);
void hookbox_rewrite(hookbox_answer *answer, uint8_t kind, hookbox_text json);
bool hookbox_fail_with(hookbox_text text);
void hookbox_log(hookbox_hook_log_level_t level, hookbox_text message);

#define HOOKBOX_PART(part)                                                                                             \
    _Generic((part),                                                                                                   \
        hookbox_text: hookbox_part_text,                                                                               \
        char *: hookbox_part_string,                                                                                   \
        const char *: hookbox_part_string,                                                                             \
        unsigned char: hookbox_part_unsigned,                                                                          \
        unsigned short: hookbox_part_unsigned,                                                                         \
        unsigned int: hookbox_part_unsigned,                                                                           \
        unsigned long: hookbox_part_unsigned,                                                                          \
        unsigned long long: hookbox_part_unsigned,                                                                     \
        default: hookbox_part_signed)(part)
#define HOOKBOX_PARTS_1(part) HOOKBOX_PART(part)
#define HOOKBOX_PARTS_2(part, ...) HOOKBOX_PART(part), HOOKBOX_PARTS_1(__VA_ARGS__)
#define HOOKBOX_PARTS_3(part, ...) HOOKBOX_PART(part), HOOKBOX_PARTS_2(__VA_ARGS__)
#define HOOKBOX_PARTS_4(part, ...) HOOKBOX_PART(part), HOOKBOX_PARTS_3(__VA_ARGS__)
#define HOOKBOX_PARTS_5(part, ...) HOOKBOX_PART(part), HOOKBOX_PARTS_4(__VA_ARGS__)
#define HOOKBOX_PARTS_6(part, ...) HOOKBOX_PART(part), HOOKBOX_PARTS_5(__VA_ARGS__)
#define HOOKBOX_PARTS_7(part, ...) HOOKBOX_PART(part), HOOKBOX_PARTS_6(__VA_ARGS__)
#define HOOKBOX_PARTS_8(part, ...) HOOKBOX_PART(part), HOOKBOX_PARTS_7(__VA_ARGS__)
#define HOOKBOX_NINTH(a, b, c, d, e, f, g, h, ninth, ...) ninth
#define HOOKBOX_PARTS(...)                                                                                             \
    HOOKBOX_NINTH(__VA_ARGS__, HOOKBOX_PARTS_8, HOOKBOX_PARTS_7, HOOKBOX_PARTS_6, HOOKBOX_PARTS_5, HOOKBOX_PARTS_4,    \
                  HOOKBOX_PARTS_3, HOOKBOX_PARTS_2, HOOKBOX_PARTS_1, )                                                 \
    (__VA_ARGS__)

#endif
