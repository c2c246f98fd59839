use std::{
    io::{Read as _, Write as _},
    net::TcpStream,
};

use serde_json::{Value, json};

use super::{Model, Script, Shell};

const SHELL: Shell = Shell { tool: "bash", arguments: |command| json!({ "command": command }) };

fn start_model() -> Model {
    Model::serve_script(Script { shell: SHELL, commands: vec!["ls".to_owned(), "pwd".to_owned()] }).unwrap()
}

/// Returns the body of the answer.
fn fetch_answer(model: &Model, path: &str, body: &Value) -> String {
    let body = body.to_string();
    let mut stream = TcpStream::connect(model.address).unwrap();
    let head =
        format!("POST {path} HTTP/1.1\r\nhost: here\r\nconnection: close\r\ncontent-length: {}", body.len());
    stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

/// A request with a tool and these results.
type Asking = fn(&[&str]) -> Value;

/// Returns each language: its path, and its request.
fn list_languages() -> [(&'static str, Asking); 4] {
    [
        ("/v1/messages?beta=true", |results| {
            let block =
                |text: &&str| json!({ "type": "tool_result", "content": [{ "type": "text", "text": text }] });
            let content: Vec<_> = results.iter().map(block).collect();
            json!({ "tools": [{ "name": "bash" }], "messages": [{ "role": "user", "content": content }] })
        }),
        ("/v1/chat/completions", |results| {
            let message = |text: &&str| json!({ "role": "tool", "content": text });
            let messages: Vec<_> = results.iter().map(message).collect();
            json!({ "tools": [{ "function": { "name": "bash" } }], "messages": messages })
        }),
        ("/v1/responses", |results| {
            let item = |text: &&str| json!({ "type": "function_call_output", "output": text });
            let input: Vec<_> = results.iter().map(item).collect();
            json!({ "tools": [{ "type": "function", "name": "bash" }], "input": input })
        }),
        ("/v1beta/models/scripted:generateContent", |results| {
            let part = |text: &&str| json!({ "functionResponse": { "response": { "output": text } } });
            let parts: Vec<_> = results.iter().map(part).collect();
            json!({ "tools": [{ "functionDeclarations": [{ "name": "bash" }] }], "contents": [{ "parts": parts }] })
        }),
    ]
}

#[test]
fn in_each_language_one_command_follows_the_other_until_a_last_word() {
    for (path, request) in list_languages() {
        let model = start_model();
        let commands = [("ls", &[][..]), ("pwd", &["a"][..])];
        for (command, results) in commands {
            let answer = fetch_answer(&model, path, &request(results));
            assert!(answer.contains("bash") && answer.contains(command), "{path}: {answer}");
        }
        let last = fetch_answer(&model, path, &request(&["no: rm-root", "b"]));
        assert!(last.contains("Done."), "{path}: {last}");
        let seen = model.seen();
        assert_eq!(seen.results.len(), 2, "{path}");
        assert!(seen.results.first().unwrap().contains("no: rm-root"), "{path}: {:?}", seen.results);
        assert_eq!((seen.tools, seen.requests.len()), (vec!["bash".to_owned()], 3), "{path}");
    }
}

#[test]
fn a_request_without_the_tool_gets_a_text_and_does_not_count_in_the_session() {
    for (path, request) in list_languages() {
        let model = start_model();
        fetch_answer(&model, path, &request(&["first"]));
        let mut title = request(&[]);
        title.as_object_mut().unwrap().remove("tools");
        assert!(fetch_answer(&model, path, &title).contains("Done."), "{path}");
        assert_eq!(model.seen().results.len(), 1, "{path}");
    }
}

#[test]
fn a_streaming_request_is_answered_with_events() {
    for (path, request) in list_languages() {
        let mut body = request(&[]);
        body.as_object_mut().unwrap().insert("stream".to_owned(), true.into());
        let path = path.replace(":generateContent", ":streamGenerateContent?alt=sse");
        let answer = fetch_answer(&start_model(), &path, &body);
        let events = answer.split("\n\n").filter(|event| !event.is_empty() && !event.contains("[DONE]"));
        let data = events.map(|event| event.lines().find_map(|line| line.strip_prefix("data: ")).unwrap());
        let events: Vec<Value> = data.map(|data| serde_json::from_str(data).unwrap()).collect();
        assert!(events.iter().any(|event| event.to_string().contains("ls")), "{path}: {answer}");
    }
}

#[test]
fn a_request_for_models_is_answered_with_one_model() {
    assert!(fetch_answer(&start_model(), "/v1/models", &Value::Null).contains(r#""id":"scripted""#));
}
