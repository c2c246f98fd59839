//! What a wasm hook is granted beyond itself.

use super::{told_of, with};

#[test]
fn a_wasm_hook_may_be_granted_requests_addresses_and_secrets() {
    let granted = |grant: &str| with(&format!("grant = {grant}")).grants().names();
    let http = "http = ['https://a.example', 'GET,POST http://10.0.0.1:8080/v1']";
    let secret = "secret = { api = { env = 'TOKEN', to = ['https://a.example'] } }";
    assert_eq!(
        granted(&format!("{{ {http}, addresses = ['10.0.0.0/8', '::1'], {secret} }}")),
        [
            "http https://a.example/",
            "http GET,POST http://10.0.0.1:8080/v1",
            "addresses 10.0.0.0/8",
            "addresses ::1",
            "secret api (TOKEN) to * https://a.example/",
        ]
    );
}

#[test]
fn a_grant_that_is_none_is_told_in_its_place() {
    let secret = "{ 'a}' = { env = 'T', to = ['ftp://a'] }, b = {} }";
    let grant = format!("grant = {{ http = ['a.example'], addresses = ['10.0.0.1/8'], secret = {secret} }}");
    insta::assert_snapshot!(told_of(&grant), @"");
}
