/* A hook in C: denies a `git push` that rewrites what others have.
 *
 * It is an ordinary program. hookbox gives it the event as JSON on standard input; what it writes to standard output is
 * its answer. Nothing written is no opinion. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define MOST (1 << 20)

static char event[MOST + 1];
static char command[MOST + 1];

/* Four hexadecimal digits, or -1. */
static int hex(const char *text) {
    int value = 0;
    for (int at = 0; at < 4; at++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *digit = text[at] ? strchr(digits, text[at]) : NULL;
        if (!digit) return -1;
        value = value * 16 + (int)((digit - digits) % 16);
    }
    return value;
}

/* Copies the JSON string that begins after the quote at `text` to `out`; what lies beyond ASCII becomes `?`, since no
 * option of git does. Returns what follows it, or NULL if it does not end. */
static const char *string(const char *text, char *out) {
    for (; *text && *text != '"'; text++) {
        char next = *text;
        if (next == '\\') {
            const char *plain = "\"\"\\\\//b\bf\fn\nr\rt\t", *escape;
            text++;
            if (*text == 'u') {
                int code = hex(text + 1);
                if (code < 0) return NULL;
                next = code > 0 && code < 128 ? (char)code : '?';
                text += 4;
            } else if (*text && (escape = strchr(plain, *text))) {
                next = escape[1];
            } else {
                return NULL;
            }
        }
        *out++ = next;
    }
    *out = 0;
    return *text ? text + 1 : NULL;
}

/* The value of the first member `command`, which is that of the tool. */
static bool find_command(void) {
    static char word[MOST + 1];
    const char *at = strstr(event, "\"tool\":");
    while (at && (at = strchr(at, '"'))) {
        if (!(at = string(at + 1, word))) return false;
        if (!strcmp(word, "command") && at[0] == ':' && at[1] == '"') return string(at + 2, command) != NULL;
    }
    return false;
}

static bool forces(const char *word) {
    if (word[0] == '-' && word[1] != '-') return strchr(word, 'f') != NULL;
    return !strcmp(word, "--force") || !strcmp(word, "--mirror") || word[0] == '+';
}

static char *next_word(char *part) {
    return strtok(part, " \t\"'");
}

/* Is one part of the command line `git push` with a word that forces it? What stands before `push` are options of git. */
static bool is_forced_push(char *part) {
    char *word = next_word(part);
    while (word && strcmp(word, "git")) word = next_word(NULL);
    if (word) word = next_word(NULL);
    while (word && word[0] == '-') {
        if (!strcmp(word, "-C") || !strcmp(word, "-c")) next_word(NULL);
        word = next_word(NULL);
    }
    if (!word || strcmp(word, "push")) return false;
    while ((word = next_word(NULL))) {
        if (forces(word)) return true;
    }
    return false;
}

int main(void) {
    size_t size = fread(event, 1, MOST, stdin);
    event[size] = 0;
    if (size == MOST) {
        fputs("the event is longer than 1 MiB\n", stderr);
        return 1;
    }
    if (!find_command()) return 0;
    for (char *part = command; part;) {
        char *end = strpbrk(part, ";&|\n");
        if (end) *end++ = 0;
        if (is_forced_push(part)) {
            puts("{\"verdict\":\"deny\",\"code\":\"force-push\",\"reason\":\"a forced push rewrites what others have\"}");
            return 0;
        }
        part = end;
    }
    return 0;
}
