//! Random messages in random order: no panic, and each request is answered at most once.

use std::collections::HashMap;

use hookbox_service::control::{Callbacks, Group, OtherMessages, SdkCall, SdkCallback};
use serde_json::json;

use super::bed::{
    Bed, answer_with, build_call, build_cancel, build_command_input, build_denial, build_endless_callback,
    build_error, run, to_json,
};

/// A random number generator with a seed.
struct Numbers(u64);

impl Numbers {
    fn next_below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}

fn build_callbacks() -> Callbacks {
    let later = SdkCallback::asynchronous(|call: SdkCall| async move {
        for _ in 0..call.input.as_str().len() % 7 {
            tokio::task::yield_now().await;
        }
        Ok(to_json(&build_denial("later")))
    });
    let panics = SdkCallback::asynchronous(|_| async { panic!("at random") });
    let fails = SdkCallback::asynchronous(|_| async { Err("at random".into()) });
    let callbacks = Callbacks::default();
    let all = [
        answer_with(json!({})),
        later,
        panics,
        fails,
        build_endless_callback().0,
        answer_with(json!({ "decision": 1 })),
    ];
    callbacks.add("PreToolUse", Group::default(), all).unwrap();
    callbacks
}

#[test]
fn each_request_is_answered_at_most_once_in_whatever_order_things_come() {
    for seed in 1..=200 {
        run(async {
            let mut numbers = Numbers(seed);
            let bed = Bed::with(
                &build_callbacks(),
                if seed % 2 == 0 { OtherMessages::Refuse } else { OtherMessages::HandBack },
            );
            let mut asked: HashMap<String, usize> = HashMap::new();
            for _ in 0..200 {
                let id = format!("r{}", numbers.next_below(10));
                match numbers.next_below(10) {
                    0..6 => {
                        *asked.entry(id.clone()).or_default() += 1;
                        bed.send_message(&build_call(
                            &id,
                            &format!("hook_{}", numbers.next_below(8)),
                            &build_command_input("ls"),
                        ));
                    }
                    6 | 7 => bed.send_message(&build_cancel(&id)),
                    8 => bed.send_message(&build_error(&id, "no")),
                    _ => {
                        *asked.entry(id.clone()).or_default() += 1;
                        let request = json!({ "subtype": "interrupt" });
                        bed.send_message(
                            &json!({ "type": "control_request", "request_id": id, "request": request }),
                        );
                    }
                }
                for _ in 0..numbers.next_below(4) {
                    tokio::task::yield_now().await;
                }
            }
            let mut answered: HashMap<String, usize> = HashMap::new();
            for line in bed.end_session().await.lines {
                let id = line["response"]["request_id"].as_str().unwrap().to_owned();
                *answered.entry(id).or_default() += 1;
            }
            for (id, times) in answered {
                assert!(times <= asked[&id], "{seed}: {id} was answered {times} times");
            }
        });
    }
}

#[test]
fn bytes_that_are_torn_and_mixed_up_are_never_a_panic() {
    let whole = [
        build_call("r", "hook_0", &build_command_input("ls")).to_string(),
        build_cancel("r").to_string(),
        build_error("r", "no").to_string(),
        json!({ "type": "assistant" }).to_string(),
    ];
    for seed in 1..=300 {
        run(async {
            let mut numbers = Numbers(seed);
            let bed = Bed::new(&build_callbacks());
            let mut lines = 0;
            for _ in 0..40 {
                let mut text = whole[usize::try_from(numbers.next_below(4)).unwrap()].clone().into_bytes();
                for _ in 0..numbers.next_below(3) {
                    let at = usize::try_from(numbers.next_below(text.len() as u64)).unwrap();
                    match numbers.next_below(3) {
                        0 => text.truncate(at),
                        1 => text[at] = u8::try_from(numbers.next_below(256)).unwrap(),
                        _ => text
                            .insert(at, b"{}[],:\"\n\\ "[usize::try_from(numbers.next_below(10)).unwrap()]),
                    }
                    if text.is_empty() {
                        break;
                    }
                }
                text.push(b'\n');
                lines += text.split(|byte| *byte == b'\n').count();
                for piece in text.chunks(1 + usize::try_from(numbers.next_below(64)).unwrap()) {
                    bed.session.receive(piece);
                }
                tokio::task::yield_now().await;
            }
            assert!(bed.end_session().await.lines.len() <= lines, "{seed}");
        });
    }
}
