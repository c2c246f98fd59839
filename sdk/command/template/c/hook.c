/* Sees each tool call before it happens, and denies commands that must not run. */
#include "hookbox_command.h"

/* Do the settings name it? Without settings it is the worst alone. */
static bool is_denied(hookbox_text settings, hookbox_text command) {
    if (!hookbox_at(settings, "/denied").at) return hookbox_is(command, "rm -rf /");
    for (long long number = 0;; number++) {
        hookbox_text denied = hookbox_text_at(settings, hookbox_format("/denied/%d", number).at);
        if (!denied.at || hookbox_is(command, denied.at)) return denied.at;
    }
}

int main(void) {
    hookbox_text event = hookbox_event(), command = hookbox_text_at(event, "/tool/command");
    if (!hookbox_is(hookbox_text_at(event, "/tool/class"), "shell") || !command.at) return 0;
    fprintf(stderr, "saw %.*s\n", (int)command.size, command.at);
    if (is_denied(hookbox_config(), command)) {
        hookbox_text reason = hookbox_format("%t is not run here", command);
        hookbox_answer(hookbox_format("{\"verdict\":\"deny\",\"code\":\"denied-command\",\"reason\":%q}", reason));
    }
    return 0;
}
