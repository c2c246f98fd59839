//! Grants of a wasm hook.

use super::{find_line_problems, load_hook_with};

#[test]
fn a_wasm_hook_may_be_granted_requests_addresses_and_secrets() {
    let granted = |grant: &str| load_hook_with(&format!("grant = {grant}")).grants().names();
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
fn an_invalid_grant_is_reported_at_its_place() {
    let secret = "{ 'a}' = { env = 'T', to = ['ftp://a'] }, b = {} }";
    let grant = format!("grant = {{ http = ['a.example'], addresses = ['10.0.0.1/8'], secret = {secret} }}");
    insta::assert_snapshot!(find_line_problems(&grant), @r#"
    hooks.toml:5:19: error: `a.example` cannot stand in `http`
      5 | grant = { http = ['a.example'], addresses = ['10.0.0.1/8'], secret = { 'a}' = { env = 'T', to = ['ftp://a'] }, b = {} } …
        |                   ^^^^^^^^^^^
      help: it has no scheme: write https://HOST/PATH
    hooks.toml:5:46: error: `10.0.0.1/8` cannot stand in `addresses`
      5 | … = { http = ['a.example'], addresses = ['10.0.0.1/8'], secret = { 'a}' = { env = 'T', to = ['ftp://a'] }, b = {} } }
        |                                          ^^^^^^^^^^^^
      help: bits are set behind its prefix: write the first address of the range
    hooks.toml:5:72: error: `a}` cannot be the name of a secret
      5 | … addresses = ['10.0.0.1/8'], secret = { 'a}' = { env = 'T', to = ['ftp://a'] }, b = {} } }
        |                                          ^^^^
      help: allowed: letters, digits, `.`, `_` and `-`
    hooks.toml:5:98: error: `ftp://a` cannot stand in `to`
      5 | …], secret = { 'a}' = { env = 'T', to = ['ftp://a'] }, b = {} } }
        |                                          ^^^^^^^^^
      help: its scheme is neither `https` nor `http`
    hooks.toml:5:116: error: the secret has no `env`
      5 | … = { env = 'T', to = ['ftp://a'] }, b = {} } }
        |                                          ^^
      help: add one: env = "API_TOKEN"
    hooks.toml:5:116: error: the secret has no `to`
      5 | … = { env = 'T', to = ['ftp://a'] }, b = {} } }
        |                                          ^^
      help: add one: to = ["https://api.example.com/"]
    "#);
}

#[test]
fn addresses_and_secrets_without_requests_are_reported_to_have_no_effect() {
    let secret = "secret = { api = { env = 'T', to = ['https://a.example'] } }";
    insta::assert_snapshot!(find_line_problems(&format!("grant = {{ addresses = ['::1'], {secret} }}")), @r#"
    hooks.toml:5:23: warning: `addresses` has no effect without `http`
      5 | grant = { addresses = ['::1'], secret = { api = { env = 'T', to = ['https://a.example'] } } }
        |                       ^^^^^^^
      help: say which requests it is for: http = ["https://api.example.com/"]
    hooks.toml:5:41: warning: `secret` has no effect without `http`
      5 | grant = { addresses = ['::1'], secret = { api = { env = 'T', to = ['https://a.example'] } } }
        |                                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      help: say which requests it is for: http = ["https://api.example.com/"]
    "#);
    insta::assert_snapshot!(find_line_problems("grant = { http = [], addresses = ['::1'] }"), @r#"
    hooks.toml:5:34: warning: `addresses` has no effect without `http`
      5 | grant = { http = [], addresses = ['::1'] }
        |                                  ^^^^^^^
      help: say which requests it is for: http = ["https://api.example.com/"]
    "#);
    let requests = "http = ['https://a.example']";
    assert_eq!(find_line_problems(&format!("grant = {{ {requests}, addresses = ['::1'], {secret} }}")), "");
}
