//! run-claude's hooks.yaml for the events of LiteLLM's proxy.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{Ran, TestBed, guests};

const HOOKS: &str = "
hooks:
  pre_request:
    - {name: sees, module: house, function: sees, config: {limit: 2}}
    - {name: changes, module: house, function: changes}
    - {name: after, module: house, function: after}
    - {name: strips, module: run_claude.hooks.builtin, function: strip_provider_fields}
  post_response:
    - {name: response, module: house, function: response}
  pre_tool_call:
    - {name: tool, module: house, function: tool}
  post_tool_call:
    - {name: result, module: house, function: result}
python_path: ['${HOME}/hooks']
";

const FUNCTIONS: &str = "
def sees(ctx):
    print(ctx.event.value, ctx.model, ctx.provider, len(ctx.messages), ctx.request_id, ctx.metadata['hook_config'])

async def changes(ctx):
    ctx.messages.append({'role': 'user', 'content': 'more'})
    ctx.metadata['left'] = True
    return ctx

def after(ctx):
    print(len(ctx.messages), ctx.metadata['left'], 'hook_config' in ctx.metadata)
    ctx.stop_chain = ctx.model == 'last'
    return ctx

def response(ctx):
    print(ctx.event.value, ctx.model, ctx.provider, ctx.response['choices'][0]['message']['content'], ctx.request_id)
    ctx.response['seen'] = True

def tool(ctx):
    ctx.tool_args = {**ctx.tool_args, 'safe': True}

def result(ctx):
    ctx.tool_result = [ctx.tool_name, ctx.tool_result]
";

fn create_bed() -> TestBed {
    let bed = TestBed::new();
    bed.write_file("[PROJECT]/hooks.yaml", HOOKS);
    bed.write_file("[HOME]/hooks/house.py", FUNCTIONS);
    bed
}

fn answer_event(bed: &TestBed, event: &str) -> Ran {
    let mut command = bed.build_command(&["run", "--agent", "litellm", "--source", "[PROJECT]/hooks.yaml"]);
    bed.run_with_input(&mut command, event.as_bytes())
}

fn parse_answer(ran: &Ran) -> Value {
    assert_eq!(ran.code, 0, "{ran}");
    serde_json::from_str(&ran.stdout).unwrap()
}

/// As the proxy has sent it, with the method's name.
fn read_recorded(file: &str, method: &str) -> String {
    let text = fs::read_to_string(guests::repository_folder("tests/data/events/litellm").join(file)).unwrap();
    let mut event: Value = serde_json::from_str(&text).unwrap();
    event["litellm_hook"] = method.into();
    event.to_string()
}

fn format_request(model: &str) -> String {
    json!({
        "litellm_hook": "async_pre_call_hook", "call_type": "acompletion",
        "data": {"model": model, "messages": [{"role": "user", "content": "hi"}], "litellm_call_id": "call-1", "metadata": {"a": 1}},
    })
    .to_string()
}

#[test]
fn a_request_of_the_proxy_goes_through_pre_request_and_its_changes_go_back() {
    let ran = answer_event(&create_bed(), &format_request("groq/llama3"));
    assert_snapshot!(ran, @r#"
    exit code 0
    --- stdout
    {"data":{"model":"groq/llama3","messages":[{"role":"user","content":"hi"},{"role":"user","content":"more"}],"litellm_call_id":"call-1","metadata":{"a":1,"left":true}}}
    --- stderr
    pre_request groq/llama3 groq 1 call-1 {'limit': 2}
    2 True False
    "#);
}

#[test]
fn tools_of_a_request_are_in_the_context_and_changed_ones_go_back() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/hooks.yaml", &HOOKS.replace("function: changes", "function: tools"));
    let tools = "
def tools(ctx):
    print([tool['function']['name'] for tool in ctx.tools])
    ctx.tools = [*ctx.tools, {'type': 'function', 'function': {'name': 'added'}}]
    ctx.metadata['left'] = True
    return ctx
";
    bed.write_file("[HOME]/hooks/house.py", &(FUNCTIONS.to_owned() + tools));
    let mut event: Value = serde_json::from_str(&format_request("m")).unwrap();
    let tool = |name: &str| json!({"type": "function", "function": {"name": name}});
    event["data"]["tools"] = json!([tool("search")]);
    let ran = answer_event(&bed, &event.to_string());
    assert_eq!(ran.stderr.lines().nth(1), Some("['search']"), "{ran}");
    assert_eq!(parse_answer(&ran)["data"]["tools"], json!([tool("search"), tool("added")]));
}

#[test]
fn a_chain_that_is_stopped_calls_no_later_hook() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/hooks.yaml", &HOOKS.replace("function: changes", "function: stops"));
    bed.write_file(
        "[HOME]/hooks/house.py",
        &format!("{FUNCTIONS}\ndef stops(ctx):\n    ctx.stop_chain = True\n    return ctx\n"),
    );
    let ran = answer_event(&bed, &format_request("m"));
    assert_eq!((parse_answer(&ran), ran.stderr.lines().count()), (json!({}), 1));
}

#[test]
fn recorded_calls_of_the_proxy_are_passed_in_the_format_of_run_claude() {
    let bed = create_bed();
    for (file, method, expected) in [
        (
            "01-async_pre_call_hook.json",
            "async_pre_call_hook",
            "pre_request groq/llama3 groq 1 30810fdb-8abe-462c-80c7-24f56d894bbb {'limit': 2}",
        ),
        // Behind the alias is another provider.
        (
            "03-async_post_call_success_hook.json",
            "async_post_call_success_hook",
            "post_response groq/llama3 openai Hello there 30810fdb-8abe-462c-80c7-24f56d894bbb",
        ),
        // The response of a stream is told to the log alone.
        (
            "10-async_log_success_event.json",
            "async_log_success_event",
            "post_response llama3 None Hello there dde05f8c-dc42-4847-848d-1fded579d73a",
        ),
    ] {
        let ran = answer_event(&bed, &read_recorded(file, method));
        assert_eq!((ran.code, ran.stderr.lines().next()), (0, Some(expected)), "{ran}");
    }
    // Any other was told before, and is told once.
    let ran =
        answer_event(&bed, &read_recorded("04-async_log_success_event.json", "async_log_success_event"));
    assert_eq!((parse_answer(&ran), ran.stderr.as_str()), (json!({}), ""));
}

/// The proxy has the metadata of a request in either place.
#[test]
fn a_logged_response_is_passed_with_its_model_its_id_and_its_metadata() {
    let bed = create_bed();
    bed.write_file("[PROJECT]/hooks.yaml", &HOOKS.replace("function: response", "function: logs"));
    let logs = "
def logs(ctx):
    print(ctx.event.value, ctx.model, ctx.provider, ctx.request_id, ctx.response, ctx.metadata)
";
    bed.write_file("[HOME]/hooks/house.py", &(FUNCTIONS.to_owned() + logs));
    for (place, metadata) in
        [("metadata", json!({"user": "u"})), ("litellm_params", json!({"metadata": {"user": "u"}}))]
    {
        let mut event = json!({
            "litellm_hook": "async_log_success_event", "response_obj": {"id": "r"},
            "kwargs": {"model": "groq/llama3", "litellm_call_id": "call-1", "stream": true},
        });
        event["kwargs"][place] = metadata;
        let ran = answer_event(&bed, &event.to_string());
        let expected = "post_response groq/llama3 groq call-1 {'id': 'r'} {'user': 'u'}\n";
        assert_eq!((ran.code, ran.stderr.as_str()), (0, expected), "{ran}");
    }
}

#[test]
fn a_response_that_a_function_changed_goes_back() {
    let ran = answer_event(
        &create_bed(),
        &read_recorded("03-async_post_call_success_hook.json", "async_post_call_success_hook"),
    );
    assert_eq!(parse_answer(&ran)["response"]["seen"], json!(true));
}

#[test]
fn calls_of_tools_go_through_their_two_events() {
    let bed = create_bed();
    let before = json!({
        "litellm_hook": "async_pre_call_hook", "call_type": "call_mcp_tool",
        "data": {"mcp_tool_name": "search", "mcp_arguments": {"q": "x"}},
    });
    assert_eq!(
        parse_answer(&answer_event(&bed, &before.to_string())),
        json!({"modified_arguments": {"q": "x", "safe": true}})
    );
    let after = json!({
        "litellm_hook": "async_post_mcp_tool_call_hook",
        "kwargs": {"name": "search", "arguments": {"q": "x"}}, "response_obj": {"found": 1},
    });
    assert_eq!(
        parse_answer(&answer_event(&bed, &after.to_string())),
        json!({"response": ["search", {"found": 1}]})
    );
}

#[test]
fn fields_are_stripped_behind_an_alias_once_the_deployment_is_known() {
    let event = json!({
        "litellm_hook": "async_pre_call_deployment_hook",
        "kwargs": {
            "model": "llama3", "custom_llm_provider": "groq",
            "messages": [{"role": "user", "content": [{"type": "text", "text": "hi", "cache_control": {}}]}],
        },
    });
    let ran = answer_event(&create_bed(), &event.to_string());
    assert_eq!(
        parse_answer(&ran)["kwargs"]["messages"][0]["content"][0],
        json!({"type": "text", "text": "hi"})
    );
}

#[test]
fn the_hooks_are_listed_with_the_proxys_events() {
    let bed = create_bed();
    let ran = bed.run_hookbox(&["list", "--agent", "litellm", "--source", "[PROJECT]/hooks.yaml"]);
    assert_snapshot!(ran, @"
    exit code 0
    --- stdout
    sees  transform, session (own)
        on model.request
        python house:sees
        confined: dies with hookbox
    changes  transform, session (own)
        on model.request
        python house:changes
        confined: dies with hookbox
    after  transform, session (own)
        on model.request
        python house:after
        confined: dies with hookbox
    strips  transform, session (own)
        on model.request, model.route
        wasm [SHIPPED]/strip-provider-fields.wasm (pinned)
    response  transform, session (own)
        on model.response, model.log
        python house:response
        confined: dies with hookbox
    tool  transform, session (own)
        on tool.before
        python house:tool
        confined: dies with hookbox
    result  transform, session (own)
        on tool.after
        python house:result
        confined: dies with hookbox
    --- stderr
    ");
}
