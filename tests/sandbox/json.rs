//! Looks into JSON by the interface `json` of version 0.2.0.

use hookbox::{HookSpec, model::Json};

use crate::{Bed, dispatch_event, tool_event};

/// What the guest is told of `/a` of these settings: the value, its text, the first of its names, its count; then the settings
/// as a string.
fn look_into(settings: &str) -> Vec<String> {
    let bed = Bed::new();
    let spec = HookSpec { config: Json::parse(settings).unwrap(), ..bed.create_gate("looks") };
    let outcome = dispatch_event(&bed.builder().hooks([spec]).build(), tool_event());
    outcome.reports[0].log.iter().map(|line| line.message.clone()).collect()
}

#[test]
fn each_kind_of_json_value_is_read_as_its_own_type() {
    let object = r#"{"a": {"b" : 1.50, "c": []}}"#;
    assert_eq!(
        look_into(object),
        [r#"{"b" : 1.50, "c": []}"#, "-", "b", "2", r#""{\"a\": {\"b\" : 1.50, \"c\": []}}""#]
    );
    assert_eq!(look_into(r#"{"a":[1,2,3]}"#)[..4], ["[1,2,3]", "-", "-", "3"]);
    assert_eq!(look_into(r#"{"a":"\u00fc \"x\""}"#)[..4], [r#""\u00fc \"x\"""#, "ü \"x\"", "-", "-"]);
    assert_eq!(look_into(r#"{"a":null}"#)[..4], ["null", "-", "-", "-"]);
    assert_eq!(look_into(r#"{"b":1}"#)[..4], ["-", "-", "-", "-"]);
}
