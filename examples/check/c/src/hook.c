// The check that every language has, in C.
#include "hookbox.h"

// Each part returns false if the hook has failed.
static bool greet(hookbox_text settings, hookbox_answer *answer);
static bool count(hookbox_text settings, hookbox_answer *answer);
static bool judge(hookbox_text settings, hookbox_text command, hookbox_answer *answer);
static bool ask_server(hookbox_text server, hookbox_text what, hookbox_answer *answer);

bool hookbox_handle(const hookbox_event *event, hookbox_answer *answer) {
    hookbox_info("saw ", event->name);
    if (hookbox_is(event, HOOKBOX_SESSION_START)) {
        return greet(hookbox_settings(), answer);
    }
    hookbox_text command;
    if (!hookbox_is(event, HOOKBOX_TOOL_BEFORE) || !hookbox_command(event, &command)) {
        return true;
    }
    hookbox_text settings = hookbox_settings();
    if (!count(settings, answer)) {
        return false;
    }
    return hookbox_decided(answer) || judge(settings, command, answer);
}

static bool greet(hookbox_text settings, hookbox_answer *answer) {
    hookbox_text greeting;
    if (hookbox_json_text(settings, "/greeting", &greeting)) {
        hookbox_context(answer, greeting);
    }
    return true;
}

static bool count(hookbox_text settings, hookbox_answer *answer) {
    int64_t most, calls;
    if (!hookbox_json_integer(settings, "/most", &most)) {
        return true;
    }
    hookbox_kv_error error = hookbox_kv_increment(HOOKBOX_SESSION, "calls", 1, &calls);
    if (error != NULL) {
        return hookbox_fail("the store: ", error);
    }
    if (calls > most) {
        hookbox_ask(answer, "too-many-calls", "call ", calls, " of ", most);
    }
    return true;
}

static bool judge(hookbox_text settings, hookbox_text command, hookbox_answer *answer) {
    hookbox_text rest, server;
    if (hookbox_equal(hookbox_trim(command), "rm -rf /")) {
        hookbox_deny(answer, "removes-root", "rm -rf / removes everything");
    } else if (hookbox_after(command, "npm ", &rest)) {
        hookbox_text instead = hookbox_json_quote(hookbox_join("pnpm ", rest));
        hookbox_rewrite_merge(answer, "{\"command\":", instead, "}");
        hookbox_notice(answer, "pnpm instead of npm");
    } else if (hookbox_after(command, "deploy ", &rest) && hookbox_json_text(settings, "/server", &server)) {
        return ask_server(server, rest, answer);
    }
    return true;
}

static bool ask_server(hookbox_text server, hookbox_text what, hookbox_answer *answer) {
    hookbox_response response;
    hookbox_text url = hookbox_join(server, "/may?what=", hookbox_percent_encode(what));
    hookbox_http_error error = hookbox_get(url, &response);
    if (error != NULL) {
        return hookbox_fail("the server: ", error);
    }
    if (response.status == 403) {
        hookbox_deny(answer, "server-said-no", response.body);
    } else if (response.status != 200) {
        return hookbox_fail("the server answered ", response.status);
    }
    return true;
}
