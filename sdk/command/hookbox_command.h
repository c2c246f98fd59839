/* A hook that is a program for WASI (preview 1), in C or C++: the event, the answer, and what it asks the host for.
 *
 * One header and no library. A program answers one event and ends, so what these functions allocate is never freed. JSON that comes
 * from hookbox is well-formed; in any other nothing is found. */
#ifndef HOOKBOX_COMMAND_H
#define HOOKBOX_COMMAND_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bytes. `at` is NULL for none; a text that was made here has a zero behind it. */
typedef struct {
    const char *at;
    size_t size;
} hookbox_text;

#define HOOKBOX_IMPORT(name) __attribute__((import_module("hookbox:hook/host@0.2.0"), import_name(name)))
#ifdef __cplusplus
extern "C" {
#endif
HOOKBOX_IMPORT("ask") uint32_t hookbox_host_ask(const void *question, uint32_t length);
HOOKBOX_IMPORT("take") uint32_t hookbox_host_take(void *buffer, uint32_t size);
#ifdef __cplusplus
}
#endif

/* ---- Bytes ---- */

static inline char *hookbox_room(size_t size) {
    char *room = (char *)malloc(size + 1);
    if (!room) abort();
    room[size] = 0;
    return room;
}

static inline hookbox_text hookbox_bytes(const char *at, size_t size) {
    hookbox_text text = {at, size};
    return text;
}

static inline hookbox_text hookbox_of(const char *text) { return hookbox_bytes(text, strlen(text)); }

static inline bool hookbox_is(hookbox_text text, const char *other) {
    return text.at && text.size == strlen(other) && !memcmp(text.at, other, text.size);
}

/* What follows `prefix`; none if the text does not begin so. */
static inline hookbox_text hookbox_after(hookbox_text text, const char *prefix) {
    size_t size = strlen(prefix);
    bool begins = text.at && text.size >= size && !memcmp(text.at, prefix, size);
    return begins ? hookbox_bytes(text.at + size, text.size - size) : hookbox_bytes(NULL, 0);
}

/* ---- Reading JSON ---- */

static inline const char *hookbox_blanks(const char *at, const char *end) {
    while (at < end && strchr(" \t\r\n", *at)) at++;
    return at;
}

/* What follows the string whose first quotation mark is at `at`. */
static inline const char *hookbox_past_string(const char *at, const char *end) {
    for (at++; at < end && *at != '"'; at++) {
        if (*at == '\\') at++;
    }
    return at < end ? at + 1 : end;
}

/* What follows the value at `at`. */
static inline const char *hookbox_past(const char *at, const char *end) {
    size_t depth = 0;
    while (at < end) {
        char next = *at;
        if (next == '"') {
            at = hookbox_past_string(at, end);
        } else if (next == '{' || next == '[') {
            depth++, at++;
        } else if (next == '}' || next == ']') {
            if (!depth) return at;
            depth--, at++;
        } else if (!depth && (next == ',' || next == ':' || strchr(" \t\r\n", next))) {
            return at;
        } else {
            at++;
            continue;
        }
        if (!depth) return at;
    }
    return end;
}

static inline unsigned hookbox_hex(const char *at, const char *end) {
    unsigned value = 0;
    for (int digit = 0; digit < 4 && at < end; digit++, at++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF", *found = strchr(digits, *at);
        value = value * 16 + (found && *found ? (unsigned)((found - digits) % 16) : 0);
    }
    return value;
}

static inline char *hookbox_utf8(char *out, unsigned code) {
    if (code < 0x80) {
        *out++ = (char)code;
    } else if (code < 0x800) {
        *out++ = (char)(0xC0 | code >> 6), *out++ = (char)(0x80 | (code & 0x3F));
    } else if (code < 0x10000) {
        *out++ = (char)(0xE0 | code >> 12), *out++ = (char)(0x80 | (code >> 6 & 0x3F));
        *out++ = (char)(0x80 | (code & 0x3F));
    } else {
        *out++ = (char)(0xF0 | code >> 18), *out++ = (char)(0x80 | (code >> 12 & 0x3F));
        *out++ = (char)(0x80 | (code >> 6 & 0x3F)), *out++ = (char)(0x80 | (code & 0x3F));
    }
    return out;
}

/* The text that a JSON string means; none if the value is no string. */
static inline hookbox_text hookbox_unquoted(hookbox_text json) {
    if (!json.at || json.size < 2 || *json.at != '"') return hookbox_bytes(NULL, 0);
    const char *at = json.at + 1, *end = json.at + json.size - 1;
    char *text = hookbox_room(json.size), *out = text;
    while (at < end) {
        if (*at != '\\' || at + 1 >= end) {
            *out++ = *at++;
            continue;
        }
        const char *plain = "\"\"\\\\//b\bf\fn\nr\rt\t", *escape = strchr(plain, at[1]);
        if (at[1] == 'u') {
            unsigned code = hookbox_hex(at + 2, end);
            at += 6;
            if (code >= 0xD800 && code < 0xDC00 && at + 1 < end && at[0] == '\\' && at[1] == 'u') {
                code = 0x10000 + ((code - 0xD800) << 10) + ((hookbox_hex(at + 2, end) - 0xDC00) & 0x3FF);
                at += 6;
            }
            if (code >= 0xD800 && code < 0xE000) code = 0xFFFD;
            out = hookbox_utf8(out, code);
        } else {
            *out++ = escape ? escape[1] : at[1];
            at += 2;
        }
    }
    *out = 0;
    return hookbox_bytes(text, (size_t)(out - text));
}

/* The value of the member `name` of the object, or the item of this number of the array, that is at `json`. */
static inline hookbox_text hookbox_child(hookbox_text json, hookbox_text name) {
    hookbox_text none = {NULL, 0};
    if (!json.at || !json.size || (*json.at != '{' && *json.at != '[')) return none;
    bool is_object = *json.at == '{';
    const char *end = json.at + json.size - 1, *at = hookbox_blanks(json.at + 1, end);
    char number[24];
    for (size_t count = 0; at < end; count++) {
        bool found;
        if (is_object) {
            const char *past = hookbox_past_string(at, end);
            hookbox_text key = hookbox_unquoted(hookbox_bytes(at, (size_t)(past - at)));
            found = key.at && key.size == name.size && !memcmp(key.at, name.at, name.size);
            at = hookbox_blanks(past, end);
            if (at < end) at = hookbox_blanks(at + 1, end);
        } else {
            snprintf(number, sizeof number, "%zu", count);
            found = hookbox_is(name, number);
        }
        const char *past = hookbox_past(at, end);
        if (found) return hookbox_bytes(at, (size_t)(past - at));
        if (past == at) return none;
        at = hookbox_blanks(past, end);
        if (at < end) at = hookbox_blanks(at + 1, end);
    }
    return none;
}

/* The value at a JSON pointer (RFC 6901) without `~`: "/tool/command". None if there is nothing. */
static inline hookbox_text hookbox_at(hookbox_text json, const char *pointer) {
    if (json.at) {
        const char *begin = hookbox_blanks(json.at, json.at + json.size);
        json = hookbox_bytes(begin, json.size - (size_t)(begin - json.at));
        json.size = (size_t)(hookbox_past(json.at, json.at + json.size) - json.at);
    }
    while (json.at && *pointer == '/') {
        size_t size = strcspn(++pointer, "/");
        json = hookbox_child(json, hookbox_bytes(pointer, size));
        pointer += size;
    }
    return json;
}

/* The text of the string at a JSON pointer. None if there is something else. */
static inline hookbox_text hookbox_text_at(hookbox_text json, const char *pointer) {
    return hookbox_unquoted(hookbox_at(json, pointer));
}

/* Is a whole number at the JSON pointer? Then `*number` is that. */
static inline bool hookbox_number_at(hookbox_text json, const char *pointer, long long *number) {
    hookbox_text found = hookbox_at(json, pointer);
    char digits[24], *end = digits;
    if (!found.at || !found.size || found.size >= sizeof digits) return false;
    memcpy(digits, found.at, found.size);
    digits[found.size] = 0;
    *number = strtoll(digits, &end, 10);
    return end != digits && !*end;
}

/* The bytes at a JSON pointer: a string, or an object with `base64`. None if there is something else. */
static inline hookbox_text hookbox_bytes_at(hookbox_text json, const char *pointer) {
    hookbox_text value = hookbox_at(json, pointer), plain = hookbox_unquoted(value);
    hookbox_text coded = hookbox_text_at(value, "/base64");
    if (plain.at || !coded.at) return plain;
    const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *bytes = hookbox_room(coded.size), *out = bytes;
    unsigned held = 0, bits = 0;
    for (const char *at = coded.at, *found; (found = *at ? strchr(digits, *at) : NULL); at++) {
        held = held << 6 | (unsigned)(found - digits);
        if ((bits += 6) >= 8) *out++ = (char)(held >> (bits -= 8) & 0xFF);
    }
    return hookbox_bytes(bytes, (size_t)(out - bytes));
}

/* ---- Writing JSON ---- */

/* This text as a JSON string. Where it is no UTF-8, hookbox says so. */
static inline hookbox_text hookbox_quoted(hookbox_text text) {
    char *json = hookbox_room(text.size * 6 + 2), *out = json;
    *out++ = '"';
    for (size_t at = 0; at < text.size; at++) {
        unsigned char next = (unsigned char)text.at[at];
        if (next == '"' || next == '\\') *out++ = '\\';
        if (next < 0x20) {
            out += sprintf(out, "\\u%04x", next);
        } else {
            *out++ = (char)next;
        }
    }
    *out++ = '"';
    *out = 0;
    return hookbox_bytes(json, (size_t)(out - json));
}

/* A text in which %t stands for a text, %q for a text as a JSON string, %s for a C string as a JSON string, %d for a long long. */
static inline hookbox_text hookbox_format(const char *format, ...) {
    char *made = hookbox_room(0), digits[24];
    size_t size = 0;
    va_list values;
    va_start(values, format);
    for (; *format; format++) {
        hookbox_text part = {format, 1};
        if (*format == '%' && strchr("tqsd", format[1]) && format[1]) {
            switch (*++format) {
            case 't': part = va_arg(values, hookbox_text); break;
            case 'q': part = hookbox_quoted(va_arg(values, hookbox_text)); break;
            case 's': part = hookbox_quoted(hookbox_of(va_arg(values, const char *))); break;
            default: part = hookbox_bytes(digits, (size_t)snprintf(digits, sizeof digits, "%lld", va_arg(values, long long)));
            }
        }
        made = (char *)realloc(made, size + part.size + 1);
        if (!made) abort();
        if (part.size) memcpy(made + size, part.at, part.size);
        size += part.size;
        made[size] = 0;
    }
    va_end(values);
    return hookbox_bytes(made, size);
}

/* ---- The host ---- */

/* All of standard input: the event. */
static inline hookbox_text hookbox_event(void) {
    size_t size = 0, room = 1 << 16;
    char *event = hookbox_room(room);
    for (size_t more; (more = fread(event + size, 1, room - size, stdin)) > 0;) {
        size += more;
        if (size < room) continue;
        event = (char *)realloc(event, (room *= 2) + 1);
        if (!event) abort();
    }
    event[size] = 0;
    return hookbox_bytes(event, size);
}

/* Asks the host; docs/guide/programs.md has the questions. The reply has `/value`, or `/error` and `/text`. */
static inline hookbox_text hookbox_ask(hookbox_text question) {
    uint32_t size = hookbox_host_ask(question.at, (uint32_t)question.size);
    char *reply = hookbox_room(size);
    return hookbox_bytes(reply, hookbox_host_take(reply, size));
}

/* The hook's settings. */
static inline hookbox_text hookbox_config(void) {
    return hookbox_at(hookbox_ask(hookbox_of("{\"ask\":\"config\"}")), "/value");
}

/* Writes the answer, which is JSON. */
static inline void hookbox_answer(hookbox_text answer) { fwrite(answer.at, 1, answer.size, stdout); }

/* Ends as a failed hook with this text. */
__attribute__((noreturn)) static inline void hookbox_fail(hookbox_text why) {
    hookbox_ask(hookbox_format("{\"ask\":\"fail\",\"message\":%q}", why));
    exit(1);
}

#endif
