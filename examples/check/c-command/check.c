/* The one check that is written in every language, as a program; examples/check/README.md says what it does. */
#include "hookbox_command.h"

static hookbox_text verdict(const char *word, const char *code, hookbox_text reason) {
    return hookbox_format("{\"verdict\":%s,\"code\":%s,\"reason\":%q}", word, code, reason);
}

static hookbox_text none(void) { return hookbox_of("{}"); }

static hookbox_text trimmed(hookbox_text text) {
    while (text.size && *text.at == ' ') text.at++, text.size--;
    while (text.size && text.at[text.size - 1] == ' ') text.size--;
    return text;
}

/* The text with every byte that is no ASCII letter or digit as %XX. */
static hookbox_text escaped(hookbox_text text) {
    char *out = hookbox_room(text.size * 3), *end = out;
    for (size_t at = 0; at < text.size; at++) {
        unsigned char next = (unsigned char)text.at[at];
        bool stays = (next >= '0' && next <= '9') || (next >= 'A' && next <= 'Z') || (next >= 'a' && next <= 'z');
        end += sprintf(end, stays ? "%c" : "%%%02X", next);
    }
    return hookbox_bytes(out, (size_t)(end - out));
}

/* Fails with the word of an error in the reply, if there is one. */
static void check_reply(hookbox_text reply, const char *who) {
    hookbox_text error = hookbox_text_at(reply, "/error");
    if (error.at) hookbox_fail(hookbox_format("%t: %t", hookbox_of(who), error));
}

static hookbox_text may_deploy(hookbox_text server, hookbox_text what) {
    hookbox_text url = hookbox_format("%t/may?what=%t", server, escaped(what));
    hookbox_text reply = hookbox_ask(hookbox_format("{\"ask\":\"http\",\"method\":\"GET\",\"url\":%q}", url));
    check_reply(reply, "the server");
    long long status = 0;
    hookbox_number_at(reply, "/value/status", &status);
    if (status == 403) return verdict("deny", "server-said-no", hookbox_bytes_at(reply, "/value/body"));
    if (status != 200) hookbox_fail(hookbox_format("the server answered %d", status));
    return none();
}

static hookbox_text check(hookbox_text settings, hookbox_text command) {
    long long most, calls = 0;
    if (hookbox_number_at(settings, "/most", &most)) {
        hookbox_text question =
            hookbox_of("{\"ask\":\"kv.increment\",\"scope\":\"session\",\"key\":\"calls\",\"by\":1}");
        hookbox_text reply = hookbox_ask(question);
        check_reply(reply, "the store");
        hookbox_number_at(reply, "/value", &calls);
        if (calls > most) return verdict("ask", "too-many-calls", hookbox_format("call %d of %d", calls, most));
    }
    if (hookbox_is(trimmed(command), "rm -rf /")) {
        return verdict("deny", "removes-root", hookbox_of("rm -rf / removes everything"));
    }
    hookbox_text rest = hookbox_after(command, "npm ");
    if (rest.at) {
        hookbox_text pnpm = hookbox_format("pnpm %t", rest);
        return hookbox_format("{\"rewrite\":{\"merge\":{\"command\":%q}},\"notice\":\"pnpm instead of npm\"}", pnpm);
    }
    hookbox_text what = hookbox_after(command, "deploy "), server = hookbox_text_at(settings, "/server");
    return what.at && server.at ? may_deploy(server, what) : none();
}

static hookbox_text answer(hookbox_text event) {
    hookbox_text name = hookbox_text_at(event, "/event"), settings = hookbox_config();
    fprintf(stderr, "saw %.*s\n", (int)name.size, name.at);
    if (hookbox_is(name, "session.start")) {
        hookbox_text greeting = hookbox_text_at(settings, "/greeting");
        return greeting.at ? hookbox_format("{\"context\":%q}", greeting) : none();
    }
    hookbox_text command = hookbox_text_at(event, "/tool/command");
    bool is_shell = hookbox_is(hookbox_text_at(event, "/tool/class"), "shell");
    return hookbox_is(name, "tool.before") && is_shell && command.at ? check(settings, command) : none();
}

int main(void) {
    hookbox_answer(answer(hookbox_event()));
    return 0;
}
