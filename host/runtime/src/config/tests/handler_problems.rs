//! Messages about invalid handlers.

use super::*;

#[test]
fn every_kind_of_handler_becomes_a_hook_or_a_problem() {
    for kind in keys::HANDLERS {
        let example = keys::HOOK.find_key(kind).unwrap().example;
        let loaded = load_text(&format!("[[hook]]\nname = 'a'\non = 'tool.before'\n{example}"));
        assert!(!loaded.hooks.is_empty() || !loaded.problems.is_empty(), "{kind}");
    }
}

#[test]
fn a_hook_has_one_handler() {
    insta::assert_snapshot!(find_handler_problems(""), @r#"
    hooks.toml:1:1: error: the hook has none of `wasm`, `shell`, `webhook`, `python`
      1 | [[hook]]
        | ^^^^^^^^
      help: it must have exactly one of them
    "#);
    insta::assert_snapshot!(find_handler_problems("wasm = { path = 'a' }\nshell = { command = 'x' }"), @r#"
    hooks.toml:5:1: error: the hook has `wasm` already
      5 | shell = { command = 'x' }
        | ^^^^^
      help: it must have exactly one of `wasm`, `shell`, `webhook`, `python`
    "#);
    insta::assert_snapshot!(find_handler_problems("command = 'x'"), @"
    hooks.toml:1:1: error: the hook has none of `wasm`, `shell`, `webhook`, `python`
      1 | [[hook]]
        | ^^^^^^^^
      help: it must have exactly one of them
    hooks.toml:4:1: error: unknown key `command`
      4 | command = 'x'
        | ^^^^^^^
      help: allowed: name, on, tool, role, priority, timeout, on-failure, once, enabled, config, limits, grant, wasm, shell, webhook, python
    ");
    insta::assert_snapshot!(find_handler_problems("wasm = 'a.wasm'"), @r#"
    hooks.toml:4:8: error: `wasm` is a string, but must be a table
      4 | wasm = 'a.wasm'
        |        ^^^^^^^^
      help: for example wasm = { plugin = "guard-shell" }
    "#);
    insta::assert_snapshot!(find_handler_problems("wasm = {}"), @r#"
    hooks.toml:4:8: error: `wasm` has none of `plugin`, `path`
      4 | wasm = {}
        |        ^^
      help: it must have exactly one of them
    "#);
    insta::assert_snapshot!(find_handler_problems("wasm = { path = '' }"), @r#"
    hooks.toml:4:17: error: `path` is empty
      4 | wasm = { path = '' }
        |                 ^^
      help: for example path = "plugins/my-guard.wasm"
    "#);
    insta::assert_snapshot!(find_handler_problems("wasm = { path = \"a\\u0000\" }"), @r#"
    hooks.toml:4:17: error: `path` holds a NUL character
      4 | wasm = { path = "a\u0000" }
        |                 ^^^^^^^^^
      help: for example path = "plugins/my-guard.wasm"
    "#);
}

#[test]
fn features_are_words_that_are_known() {
    let loaded = load_text(
        "[[hook]]\nname = 'a'\non = 'tool.before'\nwasm = { path = 'a.wasm', features = ['gc', 'exceptions'] }",
    );
    assert_eq!(format_problems(&loaded), "");
    let Target::Wasm(wasm) = &loaded.hooks[0].target else { panic!() };
    assert_eq!(wasm.proposals.names(), "gc,exceptions");
    for bad in ["'gc'", "[]", "['threads']", "[1]"] {
        assert_ne!(
            find_handler_problems(&format!("wasm = {{ path = 'a.wasm', features = {bad} }}")),
            "",
            "{bad}"
        );
    }
}

#[test]
fn features_are_for_the_users_own_components() {
    insta::assert_snapshot!(find_handler_problems("wasm = { plugin = 'guard-shell', features = ['gc'] }"), @r#"
    hooks.toml:4:46: error: a plugin that comes with hookbox needs no `features`
      4 | wasm = { plugin = 'guard-shell', features = ['gc'] }
        |                                              ^^^^
      help: leave `features` out
    "#);
    for (layer, trust_level) in [
        (Layer::Project, TrustLevel::Own),
        (Layer::Project, TrustLevel::Untrusted),
        (Layer::Session, TrustLevel::Own),
    ] {
        let source = Source {
            layer,
            trust_level,
            file: Some("/p/.hookbox/hooks.toml".into()),
            root: Some("/p".into()),
            plugins: crate::ShippedPlugins::default(),
            text: "[[hook]]\nname = 'a'\non = 'tool.before'\nwasm = { path = 'a.wasm', features = ['gc'] }"
                .to_owned(),
        };
        let loaded = load(&source, &DIALECTS);
        assert!(loaded.hooks.is_empty(), "{layer:?}");
        insta::allow_duplicates! {
            insta::assert_snapshot!(format_problems(&loaded), @r#"
            /p/.hookbox/hooks.toml:4:39: error: `features` are for hooks of your own file, or the administrator's
              4 | wasm = { path = 'a.wasm', features = ['gc'] }
                |                                       ^^^^
              help: leave `features` out, or move the hook to `~/.config/hookbox/hooks.toml`
            "#);
        }
    }
}

#[test]
fn a_component_of_the_users_own_may_ask_for_a_process_that_has_nothing() {
    let entry = "wasm = { path = 'a.wasm', isolate = true, features = ['gc'] }\ngrant = { clock = true, random = true }";
    let loaded = load_text(&format!("[[hook]]\nname = 'a'\non = 'tool.before'\n{entry}"));
    assert_eq!(format_problems(&loaded), "");
    let Target::Wasm(wasm) = &loaded.hooks[0].target else { panic!() };
    assert!(wasm.isolate);
    let entry = "wasm = { path = 'a.wasm', isolate = false }\ngrant = { kv = { scopes = ['user'] } }";
    assert_eq!(find_handler_problems(entry), "");
}

#[test]
fn what_cannot_be_had_in_a_process_that_has_nothing_is_an_error() {
    let entry =
        "wasm = { path = 'a.wasm', isolate = true }\ngrant = { clock = true, fs = { read = ['project'] } }";
    insta::assert_snapshot!(find_handler_problems(entry), @r"
    hooks.toml:4:37: error: a hook with `isolate = true` runs where nothing is to be had that its `grant` gives
      4 | wasm = { path = 'a.wasm', isolate = true }
        |                                     ^^^^
      help: leave `isolate` out, or `fs` in `grant`; `clock` and `random` can be had there
    ");
    for grant in ["env = ['LANG']", "http = ['https://a.example/']", "kv = { scopes = ['user'] }"] {
        let entry = format!("wasm = {{ path = 'a.wasm', isolate = true }}\ngrant = {{ {grant} }}");
        let problems = find_handler_problems(&entry);
        assert!(
            problems.contains("a hook with `isolate = true` runs where nothing is to be had"),
            "{problems}"
        );
    }
}

#[test]
fn a_project_neither_asks_for_a_process_nor_does_without() {
    for (layer, trust_level, isolate) in [
        (Layer::Project, TrustLevel::Own, true),
        (Layer::Project, TrustLevel::Untrusted, false),
        (Layer::Session, TrustLevel::Own, true),
    ] {
        let source = Source {
            layer,
            trust_level,
            file: Some("/p/.hookbox/hooks.toml".into()),
            root: Some("/p".into()),
            plugins: crate::ShippedPlugins::default(),
            text: format!(
                "[[hook]]\nname = 'a'\non = 'tool.before'\nwasm = {{ path = 'a.wasm', isolate = {isolate} }}"
            ),
        };
        let loaded = load(&source, &DIALECTS);
        assert!(loaded.hooks.is_empty(), "{layer:?}");
        assert!(
            format_problems(&loaded).contains("error: `isolate` is for hooks of your own file"),
            "{}",
            format_problems(&loaded)
        );
    }
}

#[test]
fn a_shell_hook_has_one_command() {
    insta::assert_snapshot!(find_handler_problems("shell = {}"), @r#"
    hooks.toml:4:9: error: `shell` has none of `command`, `argv`
      4 | shell = {}
        |         ^^
      help: it must have exactly one of them
    "#);
    insta::assert_snapshot!(find_handler_problems("shell = { command = ' ' }"), @r#"
    hooks.toml:4:21: error: the command is empty: name a program to run
      4 | shell = { command = ' ' }
        |                     ^^^
    "#);
    insta::assert_snapshot!(find_handler_problems("shell = { command = 'a', argv = ['a'] }"), @r#"
    hooks.toml:4:26: error: `shell` has `command` already
      4 | shell = { command = 'a', argv = ['a'] }
        |                          ^^^^
      help: it must have exactly one of `command`, `argv`
    "#);
    insta::assert_snapshot!(find_handler_problems("shell = { argv = [] }"), @r#"
    hooks.toml:4:18: error: `argv` is an empty list
      4 | shell = { argv = [] }
        |                  ^^
      help: for example argv = ["./check", "--strict"]
    "#);
    insta::assert_snapshot!(find_handler_problems("shell = { argv = ['', 1] }"), @r#"
    hooks.toml:4:19: error: the command is empty: name a program to run
      4 | shell = { argv = ['', 1] }
        |                   ^^
    hooks.toml:4:23: error: `argv` is an integer, but must be a string
      4 | shell = { argv = ['', 1] }
        |                       ^
      help: for example argv = ["./check", "--strict"]
    "#);
    insta::assert_snapshot!(find_handler_problems("shell = { command = \"a\\u0000\" }"), @r#"
    hooks.toml:4:21: error: `command` holds a NUL character
      4 | shell = { command = "a\u0000" }
        |                     ^^^^^^^^^
      help: for example command = "./check --strict"
    "#);
    insta::assert_snapshot!(find_handler_problems("shell = { command = 'a', env = ['A B', 'LD_PRELOAD'] }"), @r#"
    hooks.toml:4:33: error: `A B` cannot be the name of a variable
      4 | shell = { command = 'a', env = ['A B', 'LD_PRELOAD'] }
        |                                 ^^^^^
      help: allowed: letters, digits and `_`, not beginning with a digit
    hooks.toml:4:40: error: `LD_PRELOAD` is never passed on to a hook, since it changes which code programs run: remove it from `env`
      4 | shell = { command = 'a', env = ['A B', 'LD_PRELOAD'] }
        |                                        ^^^^^^^^^^^^
    "#);
}

#[test]
fn a_webhook_goes_where_it_may() {
    let webhook = |keys: &str| find_handler_problems(&format!("webhook = {{ {keys} }}"));
    insta::assert_snapshot!(webhook("method = 'POST'"), @r#"
    hooks.toml:4:11: error: `webhook` has no `url`
      4 | webhook = { method = 'POST' }
        |           ^^^^^^^^^^^^^^^^^^^
      help: add one: url = "https://hooks.example/agent"
    "#);
    insta::assert_snapshot!(webhook("url = 'hooks.example'"), @r#"
    hooks.toml:4:19: error: the url is not an address: write it as https://HOST/PATH
      4 | webhook = { url = 'hooks.example' }
        |                   ^^^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(webhook("url = 'http://hooks.example/a'"), @r#"
    hooks.toml:4:19: error: the url is plain http to `hooks.example`: use https (http is for 127.0.0.1, [::1] and localhost only)
      4 | webhook = { url = 'http://hooks.example**' }
        |                   ^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(webhook("url = 'file:///etc/passwd'"), @r#"
    hooks.toml:4:19: error: the url is not an address: only https can be called
      4 | webhook = { url = 'file://***********' }
        |                   ^^^^^^^^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(webhook("url = 'https://u:p@hooks.example'"), @r#"
    hooks.toml:4:19: error: the url holds a user name or a password: send it in a header, as `${NAME}` with NAME in `env`
      4 | webhook = { url = 'https://*****************' }
        |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
    insta::assert_snapshot!(webhook("url = 'https://hooks.example/${TOKEN}'"), @r#"
    hooks.toml:4:19: error: variables do not work in the url
      4 | webhook = { url = 'https://hooks.example*********' }
        |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      help: put them in `headers`
    "#);
    insta::assert_snapshot!(webhook("url = 'https://h', method = 'get'"), @r#"
    hooks.toml:4:41: error: unknown method `get`
      4 | webhook = { url = 'https://h', method = 'get' }
        |                                         ^^^^^
      help: allowed: POST, PUT
    "#);
    assert_eq!(webhook("url = 'http://127.0.0.1:8080/x'"), "");
}

#[test]
fn a_header_uses_listed_variables_only() {
    let headers = |headers: &str, env: &str| {
        find_handler_problems(&format!(
            "webhook = {{ url = 'https://h', headers = {{ {headers} }}, env = [{env}] }}"
        ))
    };
    insta::assert_snapshot!(headers("A = '${TOKEN}', B = '${', 'a b' = 'x', Host = 'x'", ""), @r#"
    hooks.toml:4:48: error: header "A": the variable `TOKEN` is not listed: add env = ["TOKEN"] if this server may have it
      4 | webhook = { url = 'https://h', headers = { A = '********', B = '**', 'a b' = '*', Host = '*' }, env = [] }
        |                                                ^^^^^^^^^^
    hooks.toml:4:64: error: header "B": a `${` must be followed by a variable's name and `}`
      4 | webhook = { url = 'https://h', headers = { A = '********', B = '**', 'a b' = '*', Host = '*' }, env = [] }
        |                                                                ^^^^
    hooks.toml:4:70: error: header "a b": this is not a header name
      4 | webhook = { url = 'https://h', headers = { A = '********', B = '**', 'a b' = '*', Host = '*' }, env = [] }
        |                                                                      ^^^^^
    hooks.toml:4:83: error: header "Host": this belongs to the connection and cannot be set
      4 | webhook = { url = 'https://h', headers = { A = '********', B = '**', 'a b' = '*', Host = '*' }, env = [] }
        |                                                                                   ^^^^
    "#);
    insta::assert_snapshot!(headers("A = \"x\\ny\"", ""), @r#"
    hooks.toml:4:48: error: header "A": its value holds a line break or another control character
      4 | webhook = { url = 'https://h', headers = { A = "****" }, env = [] }
        |                                                ^^^^^^
    "#);
    insta::assert_snapshot!(headers("A = 'x', a = 'y', B = 'z'", ""), @r#"
    hooks.toml:4:53: error: header "a": it is there twice, and names are the same in capitals: keep one
      4 | webhook = { url = 'https://h', headers = { A = '*', a = '*', B = '*' }, env = [] }
        |                                                     ^
    "#);
    insta::assert_snapshot!(headers("A = 1", ""), @r#"
    hooks.toml:4:48: error: `headers` is an integer, but must be a string
      4 | webhook = { url = 'https://h', headers = { A = 1 }, env = [] }
        |                                                ^
      help: for example headers = { Authorization = "Bearer ${HOOK_TOKEN}" }
    "#);
    insta::assert_snapshot!(headers("A = '$TOKEN'", "'TOKEN'"), @r#"
    hooks.toml:4:67: warning: no header uses the variable `TOKEN`
      4 | webhook = { url = 'https://h', headers = { A = '******' }, env = ['TOKEN'] }
        |                                                                   ^^^^^^^
    "#);
    assert_eq!(headers("A = 'x ${TOKEN} y'", "'TOKEN'"), "");
}

#[test]
fn what_may_be_secret_in_a_webhook_is_in_no_message() {
    let text = r#"
[[hook]]
name = "a"
on = "tool.befor"
webhook = { url = "https://hooks.example/T0/s3cret", metod = "PUT", headers = { Authorization = "Bearer s3cret" } }

[[hook]]
name = "b"
on = "tool.before"
webhook.url = """https://u:s3cret@h"""
webhook.headers.A = 's3cret ${'

[[hook]]
name = "c"
webhook = { url = "https://hooks.example?s3cret" oops }
"#;
    let problems = find_file_problems(text);
    assert!(!problems.contains("s3cret"), "{problems}");
    insta::assert_snapshot!(problems, @r#"
    hooks.toml:4:6: error: unknown event `tool.befor`
      4 | on = "tool.befor"
        |      ^^^^^^^^^^^^
      help: did you mean `tool.before`?
    hooks.toml:5:54: error: unknown key `metod`
      5 | webhook = { url = "https://hooks.example**********", metod = "PUT", headers = { Authorization = "*************" } }
        |                                                      ^^^^^
      help: did you mean `method`? allowed: url, method, headers, env, sign, speaks
    hooks.toml:10:15: error: the url holds a user name or a password: send it in a header, as `${NAME}` with NAME in `env`
      10 | webhook.url = """https:**************"
         |               ^^^^^^^^^^^^^^^^^^^^^^^^
    hooks.toml:11:21: error: header "A": a `${` must be followed by a variable's name and `}`
      11 | webhook.headers.A = '*********'
         |                     ^^^^^^^^^^^
    hooks.toml:15:50: error: this is not TOML: missing comma between key-value pairs, expected `,`
      15 | webhook =**********************************************
         |                                                  ^
    hooks.toml:15:55: error: this is not TOML: invalid literal string, expected `'`
      15 | webhook =**********************************************
         |                                                       ^
    "#);
}
