//! The bus over a pair of streams.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use hookbox::{
    Callback, CallbackHook,
    model::{Answer, EventName},
};
use hookbox_service::bus::{MAX_MESSAGE_BYTES, serve};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _, duplex},
    sync::{Semaphore, mpsc},
    task::yield_now,
};

use super::{Bed, bed::build_gate, before_tool};

fn build_request(id: &str) -> String {
    json!({"type": "HOOK_EXECUTION_REQUEST", "payload":
        {"eventName": "BeforeTool", "input": before_tool(), "correlationId": id}})
    .to_string()
}

/// Returns the responses to these lines, by correlation id; for a generated id the key is `?` and the message.
async fn collect_responses(bed: &Bed, input: &[u8]) -> BTreeMap<String, Value> {
    let mut output = Vec::new();
    serve(&bed.bus, input, &mut output).await.unwrap();
    let lines = output.split_inclusive(|byte| *byte == b'\n');
    let messages = lines.map(|line| serde_json::from_slice::<Value>(line).unwrap());
    messages
        .map(|message| {
            let payload = message["payload"].clone();
            let id = payload["correlationId"].as_str().unwrap().to_owned();
            let error = payload["error"]["message"].as_str().map(str::to_owned);
            (if id.len() == 36 { format!("? {}", error.unwrap()) } else { id }, message)
        })
        .collect()
}

#[test]
fn each_line_is_answered_by_one_and_the_end_of_the_stream_ends_it() {
    Bed::with([build_gate("guard", Answer::deny("no", "not here"))]).run(async |bed| {
        let lines =
            [build_request("1"), String::new(), build_request("2"), " \r".to_owned(), build_request("3")]
                .join("\n");
        let answers = collect_responses(&bed, lines.as_bytes()).await;
        assert_eq!(answers.keys().collect::<Vec<_>>(), ["1", "2", "3"]);
        for message in answers.values() {
            assert_eq!(message["type"], json!("HOOK_EXECUTION_RESPONSE"));
            assert_eq!(message["payload"]["output"]["finalOutput"]["decision"], json!("deny"));
        }
        assert_eq!(collect_responses(&bed, b"").await, BTreeMap::new());
    });
}

#[test]
fn a_line_that_is_not_a_request_is_answered_with_an_error() {
    const THERE_ARE: &str =
        "there are HOOK_EXECUTION_REQUEST, HOOKBOX_LIST_HOOKS, HOOKBOX_SET_HOOK_ENABLED, HOOKBOX_DISPOSE";
    Bed::with([]).run(async |bed| {
        for (line, expected) in [
            (b"[1]".to_vec(), "The message is not acceptable JSON: it is not a JSON object".to_owned()),
            (b"{\"type\":\"\xff\"}".to_vec(), "The message is not UTF-8 (byte 9)".to_owned()),
            (b"{}".to_vec(), format!("Missing type; {THERE_ARE}")),
            (b"{\"type\":\"NEWS\"}".to_vec(), format!("Unknown type: NEWS; {THERE_ARE}")),
            (
                b"{\"type\":\"HOOK_EXECUTION_RESPONSE\"}".to_vec(),
                format!("Unknown type: HOOK_EXECUTION_RESPONSE; {THERE_ARE}"),
            ),
            (
                vec![b'x'; MAX_MESSAGE_BYTES + 1],
                format!("The message is longer than {MAX_MESSAGE_BYTES} bytes"),
            ),
        ] {
            let lines = [line, build_request("1").into_bytes()].join(&b'\n');
            let answers = collect_responses(&bed, &lines).await;
            assert_eq!(answers.keys().collect::<Vec<_>>(), ["1", &format!("? {expected}")]);
            let message = answers.values().next_back().unwrap();
            assert_eq!(
                (&message["type"], &message["payload"]["error"]["code"]),
                (&json!("HOOKBOX_RESPONSE"), &json!("invalid_request"))
            );
        }
    });
}

#[test]
fn hooks_are_listed_and_switched_by_messages_of_hookbox() {
    Bed::with([build_gate("guard", Answer::deny("no", "not here"))]).run(async |bed| {
        let message = |kind: &str, payload: Value| json!({"type": kind, "payload": payload}).to_string();
        let list = |id: &str| message("HOOKBOX_LIST_HOOKS", json!({ "correlationId": id }));
        let set = |id: &str, name: &str, enabled: Value| {
            message("HOOKBOX_SET_HOOK_ENABLED", json!({"correlationId": id, "name": name, "enabled": enabled}))
        };
        let lines = [
            list("a"),
            // No id at all: one is made.
            message("NEWS", json!({ "correlationId": "" })),
            set("b", "guard", json!(false)),
            list("c"),
            set("d", "nobody", json!(false)),
            set("e", "guard", json!("no")),
        ];
        let answers = collect_responses(&bed, lines.join("\n").as_bytes()).await;
        let hook = |enabled| {
            json!({"hooks": [{"name": "guard", "events": ["tool.before"], "role": "gate", "kind": "callback",
                "layer": "session", "enabled": enabled}]})
        };
        let of_ours = answers.iter().filter(|(id, _)| id.len() == 1);
        let outputs: Vec<_> = of_ours.map(|(_, message)| message["payload"]["output"].clone()).collect();
        assert!(answers.keys().any(|id| id.starts_with("? Unknown type: NEWS")), "{:?}", answers.keys());
        assert_eq!(outputs, [hook(true), json!({"hooks": 1}), hook(false), json!({"hooks": 0}), json!(null)]);
        assert_eq!(
            answers["e"],
            json!({"type": "HOOKBOX_RESPONSE", "payload": {"correlationId": "e", "success": false, "error":
                {"code": "invalid_request", "message": "Missing name (a string) or enabled (true or false)"}}})
        );
        let answers = collect_responses(&bed, build_request("1").as_bytes()).await;
        assert_eq!(answers["1"]["payload"]["output"].get("finalOutput"), None);
    });
}

/// Hooks that report their call, and never answer.
fn build_endless_gate() -> (mpsc::UnboundedReceiver<()>, (CallbackHook, Callback)) {
    let (sender, started) = mpsc::unbounded_channel();
    let callback = Callback::asynchronous(move |_| {
        let _ = sender.send(());
        std::future::pending()
    });
    (started, (CallbackHook::gate("endless", [EventName::ToolBefore]), callback))
}

#[test]
fn to_dispose_of_it_ends_what_is_under_way_and_the_stream() {
    let (mut started, hook) = build_endless_gate();
    Bed::with([hook]).run(async |bed| {
        let ((mut ours, theirs), mut output) = (duplex(1 << 16), Vec::new());
        let talk = async {
            ours.write_all(format!("{}\n", build_request("1")).as_bytes()).await.unwrap();
            started.recv().await.unwrap();
            let dispose = "{\"type\":\"HOOKBOX_DISPOSE\",\"payload\":{\"correlationId\":\"2\"}}\nnobody reads this\n";
            ours.write_all(dispose.as_bytes()).await.unwrap();
        };
        let (served, ()) = futures_util::future::join(serve(&bed.bus, theirs, &mut output), talk).await;
        served.unwrap();
        let text = String::from_utf8(output).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(
            lines[0],
            json!({"type": "HOOKBOX_RESPONSE", "payload": {"correlationId": "2", "success": true, "output": {}}})
        );
        assert_eq!((&lines[1]["payload"]["correlationId"], &lines[1]["payload"]["success"]), (&json!("1"), &json!(false)));
        assert_eq!(lines.len(), 2);
        assert!(bed.bus.is_disposed());
    });
}

#[test]
fn who_reads_no_responses_has_its_hooks_ended_and_the_bus_goes_on() {
    let (mut started, hook) = build_endless_gate();
    Bed::with([hook]).run(async |bed| {
        let ((mut ours, theirs), (their_output, output)) = (duplex(1 << 16), duplex(1));
        let talk = async {
            ours.write_all(format!("{}\nno JSON\n", build_request("1")).as_bytes()).await.unwrap();
            started.recv().await.unwrap();
            drop(output);
        };
        let (served, ()) = futures_util::future::join(serve(&bed.bus, theirs, their_output), talk).await;
        assert_eq!(served.unwrap_err().kind(), std::io::ErrorKind::BrokenPipe);
        // The id is free again: the hook has ended.
        let ((mut ours, theirs), mut output) = (duplex(1 << 16), duplex(1 << 16));
        let serving = tokio::spawn({
            let bus = bed.bus.clone();
            async move { serve(&bus, theirs, output.0).await }
        });
        ours.write_all(format!("{}\n", build_request("1")).as_bytes()).await.unwrap();
        started.recv().await.unwrap();
        bed.bus.dispose();
        serving.await.unwrap().unwrap();
        let mut text = String::new();
        output.1.read_to_string(&mut text).await.unwrap();
        assert!(text.contains("cancelled"), "{text}");
    });
}

#[test]
fn no_more_is_read_than_there_is_room_for_until_responses_are_written() {
    let (free, begun) = (Arc::new(Semaphore::new(0)), Arc::<AtomicUsize>::default());
    let (turn, counted) = (Arc::clone(&free), Arc::clone(&begun));
    let waits = Callback::asynchronous(move |_| {
        counted.fetch_add(1, Ordering::SeqCst);
        let turn = Arc::clone(&turn);
        async move {
            turn.acquire().await?.forget();
            Ok(Answer::default())
        }
    });
    Bed::with([(CallbackHook::gate("waits", [EventName::ToolBefore]), waits)]).run(async |bed| {
        let long = |id: usize| {
            let input = json!({ "tool_name": "read_file", "tool_input": { "path": "x".repeat(20 << 20) } });
            let payload =
                json!({ "eventName": "BeforeTool", "input": input, "correlationId": id.to_string() });
            format!("{}\n", json!({ "type": "HOOK_EXECUTION_REQUEST", "payload": payload }))
        };
        let input: Vec<u8> = (0..6).map(long).collect::<String>().into_bytes();
        let mut output = Vec::new();
        let release = async {
            // Three have room; whoever reads on would have begun the others by then.
            while begun.load(Ordering::SeqCst) < 3 {
                yield_now().await;
            }
            for _ in 0..1000 {
                yield_now().await;
            }
            assert_eq!(begun.load(Ordering::SeqCst), 3);
            free.add_permits(6);
        };
        let (served, ()) = futures_util::future::join(serve(&bed.bus, &*input, &mut output), release).await;
        served.unwrap();
        assert_eq!(String::from_utf8(output).unwrap().lines().count(), 6);
    });
}
