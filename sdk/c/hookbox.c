#include "hookbox.h"

#include "memory.h"

#include <stdlib.h>
#include <string.h>

// What `hookbox_fail` was told.
static hookbox_text failure;

bool exports_hook_handle(hook_event_t *event, hook_answer_t *answer, hook_string_t *error) {
    memset(answer, 0, sizeof *answer);
    if (hookbox_handle(event, answer)) {
        return true;
    }
    *error = failure.len > 0 ? failure : hookbox_part_string("the hook failed and did not say why");
    return false;
}

// In the place of the generated one, which frees every text of an answer: the instance is thrown away as a whole, so an answer may
// have literals in it.
__attribute__((__export_name__("cabi_post_handle"))) void __wasm_export_exports_hook_handle_post_return(uint8_t *answer) {
    (void)answer;
}

// ---- Texts ----

hookbox_text hookbox_part_text(hookbox_text text) {
    return text;
}

hookbox_text hookbox_part_string(const char *string) {
    return (hookbox_text){(uint8_t *)string, strlen(string)};
}

// As many digits as the largest number has, and a sign.
#define DIGITS 21

static hookbox_text number(unsigned long long value, bool negative) {
    uint8_t *end = (uint8_t *)hookbox_space(DIGITS) + DIGITS;
    uint8_t *first = end;
    do {
        *--first = (uint8_t)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    if (negative) {
        *--first = '-';
    }
    return (hookbox_text){first, (size_t)(end - first)};
}

hookbox_text hookbox_part_signed(long long value) {
    return number(value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, value < 0);
}

hookbox_text hookbox_part_unsigned(unsigned long long value) {
    return number(value, false);
}

hookbox_text hookbox_join_parts(const hookbox_text *parts, size_t count) {
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        length += parts[i].len;
    }
    hookbox_text whole = {hookbox_space(length), 0};
    for (size_t i = 0; i < count; i++) {
        if (parts[i].len > 0) {
            memcpy(whole.ptr + whole.len, parts[i].ptr, parts[i].len);
        }
        whole.len += parts[i].len;
    }
    return whole;
}

bool hookbox_same(hookbox_text one, hookbox_text other) {
    return one.len == other.len && (one.len == 0 || memcmp(one.ptr, other.ptr, one.len) == 0);
}

bool hookbox_equal(hookbox_text text, const char *other) {
    return hookbox_same(text, hookbox_part_string(other));
}

bool hookbox_after(hookbox_text text, const char *beginning, hookbox_text *rest) {
    size_t length = strlen(beginning);
    if (text.len < length || (length > 0 && memcmp(text.ptr, beginning, length) != 0)) {
        return false;
    }
    *rest = (hookbox_text){text.ptr + length, text.len - length};
    return true;
}

bool hookbox_starts_with(hookbox_text text, const char *beginning) {
    hookbox_text rest;
    return hookbox_after(text, beginning, &rest);
}

static bool is_blank(uint8_t byte) {
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

hookbox_text hookbox_trim(hookbox_text text) {
    while (text.len > 0 && is_blank(text.ptr[0])) {
        text = (hookbox_text){text.ptr + 1, text.len - 1};
    }
    while (text.len > 0 && is_blank(text.ptr[text.len - 1])) {
        text.len--;
    }
    return text;
}

static bool is_plain(uint8_t byte) {
    return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

hookbox_text hookbox_percent_encode(hookbox_text text) {
    static const char digits[] = "0123456789ABCDEF";
    hookbox_text encoded = {hookbox_space(text.len * 3), 0};
    for (size_t i = 0; i < text.len; i++) {
        uint8_t byte = text.ptr[i];
        if (is_plain(byte)) {
            encoded.ptr[encoded.len++] = byte;
        } else {
            encoded.ptr[encoded.len++] = '%';
            encoded.ptr[encoded.len++] = (uint8_t)digits[byte >> 4];
            encoded.ptr[encoded.len++] = (uint8_t)digits[byte & 15];
        }
    }
    return encoded;
}

// ---- The event ----

bool hookbox_is(const hookbox_event *event, const char *name) {
    return hookbox_equal(event->name, name);
}

bool hookbox_command(const hookbox_event *event, hookbox_text *command) {
    if (!event->tool.is_some || event->tool.val.class_ != HOOKBOX_HOOK_TYPES_TOOL_CLASS_SHELL ||
        !event->tool.val.command.is_some) {
        return false;
    }
    *command = event->tool.val.command.val;
    return true;
}

hookbox_text hookbox_source(void) {
    hookbox_text json;
    hookbox_hook_source_read(&json);
    return json;
}

// ---- The answer ----

void hookbox_decide(hookbox_answer *answer, uint8_t verdict, const char *code, hookbox_text text) {
    // Every verdict but none has its reason at the same place.
    answer->verdict.tag = verdict;
    answer->verdict.val.deny = (hookbox_hook_types_reason_t){hookbox_part_string(code), text};
}

bool hookbox_decided(const hookbox_answer *answer) {
    return answer->verdict.tag != HOOKBOX_HOOK_TYPES_VERDICT_NONE;
}

void hookbox_give(hook_option_string_t *place, hookbox_text text) {
    *place = (hook_option_string_t){true, text};
}

void hookbox_rewrite(hookbox_answer *answer, uint8_t kind, hookbox_text json) {
    answer->rewrite.is_some = true;
    answer->rewrite.val.tag = kind;
    answer->rewrite.val.val.merge = json;
}

void hookbox_extra(hookbox_answer *answer, hookbox_text json) {
    answer->extra = (hookbox_hook_types_option_json_t){true, json};
}

bool hookbox_fail_with(hookbox_text text) {
    failure = text;
    return false;
}

// ---- Settings and JSON ----

hookbox_text hookbox_settings(void) {
    hookbox_text json;
    hookbox_hook_config_get(&json);
    return json;
}

bool hookbox_json_at(hookbox_text json, const char *pointer, hookbox_text *value) {
    hookbox_text place = hookbox_part_string(pointer);
    return hookbox_hook_json_at(&json, &place, value);
}

bool hookbox_json_text(hookbox_text json, const char *pointer, hookbox_text *text) {
    hookbox_text place = hookbox_part_string(pointer);
    return hookbox_hook_json_text_at(&json, &place, text);
}

bool hookbox_json_item(hookbox_text json, const char *pointer, uint32_t index, hookbox_text *text) {
    hookbox_text place = hookbox_join(pointer, "/", index);
    return hookbox_hook_json_text_at(&json, &place, text);
}

bool hookbox_json_integer(hookbox_text json, const char *pointer, int64_t *value) {
    hookbox_text text;
    if (!hookbox_json_at(json, pointer, &text) || text.len == 0) {
        return false;
    }
    bool negative = text.ptr[0] == '-';
    if (text.len == negative) {
        return false;
    }
    // Below zero, where there is one number more.
    int64_t sum = 0;
    for (size_t i = negative; i < text.len; i++) {
        int digit = text.ptr[i] - '0';
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(sum, 10, &sum) || __builtin_sub_overflow(sum, digit, &sum)) {
            return false;
        }
    }
    if (!negative && sum == INT64_MIN) {
        return false;
    }
    *value = negative ? sum : -sum;
    return true;
}

bool hookbox_json_bool(hookbox_text json, const char *pointer, bool *value) {
    hookbox_text text;
    if (!hookbox_json_at(json, pointer, &text)) {
        return false;
    }
    *value = hookbox_equal(text, "true");
    return *value || hookbox_equal(text, "false");
}

static bool json_that_begins_with(uint8_t first, hookbox_text json, const char *pointer, hookbox_text *value) {
    hookbox_text found;
    if (!hookbox_json_at(json, pointer, &found) || found.len == 0 || found.ptr[0] != first) {
        return false;
    }
    *value = found;
    return true;
}

bool hookbox_json_object(hookbox_text json, const char *pointer, hookbox_text *value) {
    return json_that_begins_with('{', json, pointer, value);
}

bool hookbox_json_array(hookbox_text json, const char *pointer, hookbox_text *value) {
    return json_that_begins_with('[', json, pointer, value);
}

bool hookbox_json_count(hookbox_text json, const char *pointer, uint32_t *count) {
    hookbox_text place = hookbox_part_string(pointer);
    return hookbox_hook_json_count_at(&json, &place, count);
}

hook_list_string_t hookbox_json_names(hookbox_text json, const char *pointer) {
    hookbox_text place = hookbox_part_string(pointer);
    hook_list_string_t names;
    hookbox_hook_json_names_at(&json, &place, &names);
    return names;
}

hookbox_text hookbox_json_quote(hookbox_text text) {
    hookbox_text quoted;
    hookbox_hook_json_quote(&text, &quoted);
    return quoted;
}

// ---- Lines in the call's report, the clock, random bytes ----

void hookbox_log(hookbox_hook_log_level_t level, hookbox_text message) {
    hookbox_hook_log_write(level, &message);
}

uint64_t hookbox_now(void) {
    return hookbox_hook_clock_now();
}

void hookbox_random(uint8_t *bytes, uint32_t count) {
    hook_list_u8_t list;
    hookbox_hook_random_bytes(count, &list);
    memcpy(bytes, list.ptr, list.len < count ? list.len : count);
}

// ---- What is kept between calls ----

// In the contract's order.
static const char *const kv_errors[] = {"not-granted", "no-place", "bad-size", "quota", "not-a-number", "busy"};

static hookbox_kv_error kv_error(bool done, hookbox_hook_kv_error_t error) {
    return done ? NULL : kv_errors[error];
}

static hook_list_u8_t bytes_of(hookbox_text text) {
    return (hook_list_u8_t){text.ptr, text.len};
}

hookbox_kv_error hookbox_kv_get(hookbox_scope scope, const char *key, bool *found, hookbox_text *value) {
    hookbox_text name = hookbox_part_string(key);
    hook_option_list_u8_t bytes = {false, {NULL, 0}};
    hookbox_hook_kv_error_t error = 0;
    bool done = hookbox_hook_kv_get(scope, &name, &bytes, &error);
    *found = done && bytes.is_some;
    if (*found) {
        *value = (hookbox_text){bytes.val.ptr, bytes.val.len};
    }
    return kv_error(done, error);
}

hookbox_kv_error hookbox_kv_set(hookbox_scope scope, const char *key, hookbox_text value) {
    hookbox_text name = hookbox_part_string(key);
    hook_list_u8_t bytes = bytes_of(value);
    hookbox_hook_kv_error_t error = 0;
    bool done = hookbox_hook_kv_set(scope, &name, &bytes, &error);
    return kv_error(done, error);
}

hookbox_kv_error hookbox_kv_delete(hookbox_scope scope, const char *key) {
    hookbox_text name = hookbox_part_string(key);
    hookbox_hook_kv_error_t error = 0;
    bool done = hookbox_hook_kv_delete(scope, &name, &error);
    return kv_error(done, error);
}

hookbox_kv_error hookbox_kv_keys(hookbox_scope scope, const char *prefix, hook_list_string_t *keys) {
    hookbox_text beginning = hookbox_part_string(prefix);
    hookbox_hook_kv_error_t error = 0;
    bool done = hookbox_hook_kv_keys(scope, &beginning, keys, &error);
    return kv_error(done, error);
}

hookbox_kv_error hookbox_kv_increment(hookbox_scope scope, const char *key, int64_t by, int64_t *now) {
    hookbox_text name = hookbox_part_string(key);
    hookbox_hook_kv_error_t error = 0;
    bool done = hookbox_hook_kv_increment(scope, &name, by, now, &error);
    return kv_error(done, error);
}

hookbox_kv_error hookbox_kv_swap(hookbox_scope scope, const char *key, const hookbox_text *old, hookbox_text value,
                                 bool *swapped) {
    hookbox_text name = hookbox_part_string(key);
    hook_list_u8_t before = old == NULL ? (hook_list_u8_t){NULL, 0} : bytes_of(*old);
    hook_list_u8_t after = bytes_of(value);
    hookbox_hook_kv_error_t error = 0;
    bool done = hookbox_hook_kv_swap(scope, &name, old == NULL ? NULL : &before, &after, swapped, &error);
    return kv_error(done, error);
}

// ---- Requests to servers ----

// In the contract's order.
static const char *const http_errors[] = {"refused", "invalid", "unreachable", "timeout", "limit"};

hookbox_http_error hookbox_send(hookbox_request *request, hookbox_response *response) {
    hookbox_hook_http_response_t answer;
    hookbox_hook_http_error_t error;
    if (hookbox_hook_http_send(request, &answer, &error)) {
        *response = (hookbox_response){answer.status, {answer.body.ptr, answer.body.len}, answer.headers};
        return NULL;
    }
    // Every case with a text has it at the same place.
    hookbox_text why = error.tag == HOOKBOX_HOOK_HTTP_ERROR_TIMEOUT ? (hookbox_text){NULL, 0} : error.val.refused;
    *response = (hookbox_response){.body = why};
    return http_errors[error.tag];
}

hookbox_http_error hookbox_get(hookbox_text url, hookbox_response *response) {
    hookbox_request request = {.method = hookbox_part_string("GET"), .url = url};
    return hookbox_send(&request, response);
}

hookbox_http_error hookbox_post(hookbox_text url, const char *content_type, hookbox_text body, hookbox_response *response) {
    hookbox_header header = {hookbox_part_string("content-type"), hookbox_part_string(content_type)};
    hookbox_request request = {
        .method = hookbox_part_string("POST"),
        .url = url,
        .headers = {&header, 1},
        .body = bytes_of(body),
    };
    return hookbox_send(&request, response);
}
