// Denies to remove everything, and what the settings protect: `config = { protected = ["/srv"] }`.
#include "hookbox.h"

static bool is_protected(hookbox_text folder) {
    hookbox_text settings = hookbox_settings();
    uint32_t count = 0;
    hookbox_json_count(settings, "/protected", &count);
    for (uint32_t i = 0; i < count; i++) {
        hookbox_text one;
        if (hookbox_json_item(settings, "/protected", i, &one) && hookbox_same(folder, one)) {
            return true;
        }
    }
    return false;
}

bool hookbox_handle(const hookbox_event *event, hookbox_answer *answer) {
    hookbox_text command, folder;
    if (!hookbox_is(event, HOOKBOX_TOOL_BEFORE) || !hookbox_command(event, &command)) {
        return true;
    }
    command = hookbox_trim(command);
    if (hookbox_equal(command, "rm -rf /")) {
        hookbox_deny(answer, "removes-root", "rm -rf / removes everything");
    } else if (hookbox_after(command, "rm -rf ", &folder) && is_protected(folder)) {
        hookbox_deny(answer, "removes-protected", command, " removes what is protected");
    }
    return true;
}
