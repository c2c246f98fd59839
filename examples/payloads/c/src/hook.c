// Says what it reads in the payloads of some events, in C.
#include "payloads.h"

bool hookbox_handle(const hookbox_event *event, hookbox_answer *answer) {
    (void)answer;
    hookbox_prompt_submit submit;
    hookbox_model_select_tools select;
    hookbox_model_route route;
    hookbox_cwd_changed changed;
    hookbox_model_error error;
    if (hookbox_read_prompt_submit(event, &submit)) {
        hookbox_info("the prompt is ", submit.prompt);
    } else if (hookbox_read_model_select_tools(event, &select)) {
        hookbox_text tools = select.has_tool_config ? select.tool_config : hookbox_join("none");
        hookbox_info("the request is ", select.request, " with the tools ", tools);
    } else if (hookbox_read_model_route(event, &route)) {
        hookbox_info("the deployments are ", route.deployments);
    } else if (hookbox_read_cwd_changed(event, &changed)) {
        hookbox_info("from ", changed.old_cwd, " to ", changed.new_cwd);
    } else if (hookbox_read_model_error(event, &error)) {
        hookbox_info("the error is ", error.error);
    } else {
        hookbox_info("read nothing of ", event->name);
    }
    return true;
}
