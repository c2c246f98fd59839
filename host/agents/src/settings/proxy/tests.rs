//! The callback is added in the right place, nothing else changes, and removing it restores the old bytes.

use super::*;

fn find_litellm() -> &'static Proxy {
    find_proxy("litellm").unwrap()
}

/// Runs `install` on the text, and checks that `uninstall` restores it.
#[track_caller]
fn check_install(text: &str) -> String {
    let (edit, held) =
        install_callback(text, find_litellm()).unwrap_or_else(|error| panic!("{text:?}: {error}"));
    assert_eq!(edit.events, ["hookbox_litellm.hookbox"], "{text:?}");
    let (again, _) = install_callback(&edit.text, find_litellm()).unwrap();
    assert_eq!((again.text.as_str(), again.events.len()), (edit.text.as_str(), 0), "{text:?}");
    let back = uninstall_callback(&edit.text, find_litellm(), held).unwrap();
    assert_eq!((back.text.as_str(), back.events.len()), (text, 1));
    edit.text
}

fn find_problem(text: &str) -> String {
    install_callback(text, find_litellm()).unwrap_err().to_string()
}

#[test]
fn a_configuration_without_settings_gets_them_at_its_end() {
    for (before, after) in [
        ("", "litellm_settings:\n  callbacks: hookbox_litellm.hookbox\n"),
        ("# mine\n", "# mine\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\n"),
        ("# mine", "# mine\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox"),
        ("---\n", "---\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\n"),
        ("model_list: []\n", "model_list: []\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\n"),
        ("model_list: []", "model_list: []\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox"),
        ("a: 1\r\nb: 2\r\n", "a: 1\r\nb: 2\r\nlitellm_settings:\r\n  callbacks: hookbox_litellm.hookbox\r\n"),
        (
            "  a: 1\n  b:\n    - c # d\n\n",
            "  a: 1\n  b:\n    - c # d\n\n  litellm_settings:\n    callbacks: hookbox_litellm.hookbox\n",
        ),
        ("\u{feff}a: 1\n", "\u{feff}a: 1\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\n"),
        ("a: |\n  text\n", "a: |\n  text\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\n"),
        ("a: ä\n# ö\n", "a: ä\n# ö\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\n"),
    ] {
        assert_eq!(check_install(before), after);
    }
}

#[test]
fn settings_without_callbacks_get_them_and_keep_their_layout() {
    for (before, after) in [
        ("litellm_settings:\n", "litellm_settings:\n  callbacks: hookbox_litellm.hookbox\n"),
        (
            "litellm_settings: # none\nb: 1\n",
            "litellm_settings: # none\n  callbacks: hookbox_litellm.hookbox\nb: 1\n",
        ),
        (
            "litellm_settings:\n\n# about b\nb: 1\n",
            "litellm_settings:\n  callbacks: hookbox_litellm.hookbox\n\n# about b\nb: 1\n",
        ),
        (
            "litellm_settings:   # ours\n    # dropped\n    drop_params: true  # yes\n\n    'x': \"y\"\nb: 1\n",
            "litellm_settings:   # ours\n    callbacks: hookbox_litellm.hookbox\n    # dropped\n    drop_params: true  # yes\n\n    'x': \"y\"\nb: 1\n",
        ),
        ("litellm_settings: {}\n", "litellm_settings: {callbacks: hookbox_litellm.hookbox}\n"),
        ("litellm_settings: {a: 1 }\n", "litellm_settings: {a: 1, callbacks: hookbox_litellm.hookbox }\n"),
        (
            "litellm_settings: &x\n  a: 1\n",
            "litellm_settings: &x\n  callbacks: hookbox_litellm.hookbox\n  a: 1\n",
        ),
    ] {
        assert_eq!(check_install(before), after);
    }
}

#[test]
fn a_callback_goes_behind_those_that_are_there() {
    let around =
        |callbacks: &str| format!("# a\nlitellm_settings:\n  callbacks:{callbacks}\n  b: 1 # c\nd: e\n");
    for (before, after) in [
        ("", " hookbox_litellm.hookbox"),
        (" # none", " hookbox_litellm.hookbox # none"),
        (" mine.handler # a", " [mine.handler, hookbox_litellm.hookbox] # a"),
        (" 'mine.handler'", " ['mine.handler', hookbox_litellm.hookbox]"),
        (" \"mine.handler\"", " [\"mine.handler\", \"hookbox_litellm.hookbox\"]"),
        (" &y a", " [&y a, hookbox_litellm.hookbox]"),
        (" []", " [hookbox_litellm.hookbox]"),
        (" [ a.b ]", " [ a.b, hookbox_litellm.hookbox ]"),
        (
            " [\n    \"a\",  # one\n    'b', # two\n   ]",
            " [\n    \"a\",  # one\n    'b', hookbox_litellm.hookbox, # two\n   ]",
        ),
        (
            " [\n    \"a\",\n    \"b\",\n    ]",
            " [\n    \"a\",\n    \"b\",\n    \"hookbox_litellm.hookbox\",\n    ]",
        ),
        (" [\n    a\n  ]", " [\n    a,\n    hookbox_litellm.hookbox\n  ]"),
        (
            "\n    - a # one\n\n    -  'b' # two",
            "\n    - a # one\n\n    -  'b' # two\n    -  hookbox_litellm.hookbox",
        ),
        ("\n  - a\n  # after", "\n  - a\n  - hookbox_litellm.hookbox\n  # after"),
        ("\n    - \"a\"", "\n    - \"a\"\n    - \"hookbox_litellm.hookbox\""),
        ("\n    - a:\n        b: c", "\n    - a:\n        b: c\n    - hookbox_litellm.hookbox"),
        ("\n    - *x\n    - &y z", "\n    - *x\n    - &y z\n    - hookbox_litellm.hookbox"),
    ] {
        let anchored = |callbacks| format!("x: &x 1\n{}", around(callbacks));
        assert_eq!(check_install(&anchored(before)), anchored(after));
        assert_eq!(
            check_install(&anchored(before).replace('\n', "\r\n")),
            anchored(after).replace('\n', "\r\n")
        );
    }
    assert_eq!(
        check_install("litellm_settings:\n  callbacks:\n  - a"),
        "litellm_settings:\n  callbacks:\n  - a\n  - hookbox_litellm.hookbox"
    );
}

#[test]
fn json_stays_json() {
    for before in [
        r#"{"model_list": []}"#,
        r#"{"litellm_settings": {}}"#,
        r#"{"litellm_settings": {"callbacks": []}}"#,
        r#"{"litellm_settings": {"callbacks": ["a"], "b": 1}}"#,
        r#"{"litellm_settings": {"callbacks": "a"}}"#,
        "{\n  \"litellm_settings\": {\n    \"a\": {\"b\": 1}\n  }\n}\n",
    ] {
        let after = check_install(before);
        let value: serde_json::Value =
            serde_json::from_str(&after).unwrap_or_else(|error| panic!("{after}: {error}"));
        let callbacks = &value["litellm_settings"]["callbacks"];
        assert!(callbacks.to_string().contains("\"hookbox_litellm.hookbox\""), "{after}");
    }
    let pretty = "{\n  \"a\": [],\n  \"b\": 1\n}\n";
    assert_eq!(
        check_install(pretty),
        "{\n  \"a\": [],\n  \"b\": 1,\n  \"litellm_settings\": {\"callbacks\": \"hookbox_litellm.hookbox\"}\n}\n"
    );
    assert_eq!(check_install("{}\n"), "{litellm_settings: {callbacks: hookbox_litellm.hookbox}}\n");
    assert_eq!(
        check_install("{litellm_settings: , a: 1}"),
        "{litellm_settings: {callbacks: hookbox_litellm.hookbox} , a: 1}"
    );
}

#[test]
fn an_edit_that_is_not_possible_is_reported_with_advice() {
    let shared = "an alias or `<<` shares what is said where `hookbox_litellm.hookbox` is to go, and other parts would change with it: \
                  write it into `litellm_settings.callbacks` by hand";
    let by_hand = "`hookbox_litellm.hookbox` cannot be put in without changing something else: write it into \
                   `litellm_settings.callbacks` by hand";
    for (text, expected) in [
        ("a: 1\n---\nb: 2\n", "it holds several YAML documents, and the proxy reads one"),
        ("just words\n", "the file is not a YAML mapping"),
        ("- a\n", "the file is not a YAML mapping"),
        ("litellm_settings: 7\n", "litellm_settings is not a mapping"),
        ("litellm_settings: null\n", "litellm_settings is not a mapping"),
        ("litellm_settings: []\n", "litellm_settings is not a mapping"),
        (
            "litellm_settings:\n  callbacks: ~\n",
            "litellm_settings.callbacks is not a callback or a list of callbacks",
        ),
        (
            "litellm_settings:\n  callbacks: {a: b}\n",
            "litellm_settings.callbacks is not a callback or a list of callbacks",
        ),
        (
            "litellm_settings: {}\nlitellm_settings: {}\n",
            "the key litellm_settings is there twice, and at most one of them counts: put both into one",
        ),
        (
            "litellm_settings:\n  callbacks: a\n  callbacks: b\n",
            "the key callbacks is there twice, and at most one of them counts: put both into one",
        ),
        ("x: &x [a]\nlitellm_settings:\n  callbacks: *x\n", shared),
        ("x: &x {}\nlitellm_settings: *x\n", shared),
        ("litellm_settings:\n  callbacks: &x [a]\n  other: *x\n", shared),
        ("litellm_settings: &x\n  a: b\nother: *x\n", shared),
        ("x: &x {callbacks: [a]}\nlitellm_settings:\n  <<: *x\n", shared),
        ("x: &x {litellm_settings: {}}\n<<: *x\n", shared),
        (
            "litellm_settings:\n  callbacks: !!str a\n",
            "litellm_settings.callbacks is not a callback or a list of callbacks",
        ),
        ("litellm_settings:\n  callbacks: |\n    a\n", by_hand),
        ("a: 1\n...\n", by_hand),
        ("a: |\n  text", by_hand),
    ] {
        assert_eq!(find_problem(text), expected, "{text:?}");
    }
    for (text, line) in [
        ("a: [1\nb: 2\n", 2),
        ("a:\n\tb: 1\n", 2),
        ("litellm_settings: *nobody\n", 1),
        // Python reads it.
        ("litellm_settings:\n  callbacks: [\n    'a'\n  ]\n", 4),
        (&"[".repeat(70), 2),
    ] {
        let (message, hint) = (
            find_problem(text),
            "; if the proxy reads it, write `hookbox_litellm.hookbox` into \
                                            `litellm_settings.callbacks` by hand",
        );
        assert!(
            message.starts_with(&format!("line {line}, column ")) && message.ends_with(hint),
            "{text}: {message}"
        );
    }
    assert_eq!(
        find_problem(&("a: ".to_owned() + &"[".repeat(70) + &"]".repeat(70))),
        "too many lists and mappings stand within one another"
    );
    assert!(find_problem(&"[".repeat(100_000)).starts_with("line 1, column "));
    assert_eq!(find_problem(&format!("a: {}\n", "x".repeat(2 << 20))), "it is longer than 2097152 bytes");
}

#[test]
fn aliases_that_stand_for_much_cost_nothing() {
    let line = |at: usize| {
        let before = vec![format!("*a{}", at - 1); 9].join(", ");
        format!("a{at}: &a{at} [{before}]\n")
    };
    let text = "a0: &a0 [x]\n".to_owned() + &(1..30).map(line).collect::<String>();
    assert!(check_install(&text).ends_with("]\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\n"));
}

#[test]
fn what_others_have_changed_since_is_theirs() {
    for (text, held, expected) in [
        (
            "litellm_settings:\n  callbacks: [a, hookbox_litellm.hookbox, b]\n",
            Some(OriginalForm::OneCallback),
            "litellm_settings:\n  callbacks: [a, b]\n",
        ),
        (
            "litellm_settings:\n  callbacks: [hookbox_litellm.hookbox, b]\n",
            None,
            "litellm_settings:\n  callbacks: [b]\n",
        ),
        (
            "litellm_settings:\n  callbacks:\n  - hookbox_litellm.hookbox\n  - b\n",
            None,
            "litellm_settings:\n  callbacks:\n  - b\n",
        ),
        (
            "litellm_settings:\n  callbacks:\n  - hookbox_litellm.hookbox\n  x: 1\n",
            None,
            "litellm_settings:\n  x: 1\n",
        ),
        (
            "litellm_settings:\n  callbacks: hookbox_litellm.hookbox\n  x: 1\n",
            Some(OriginalForm::Nothing),
            "litellm_settings:\n  x: 1\n",
        ),
        (
            "a: 1\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\n",
            Some(OriginalForm::NoCallbacks),
            "a: 1\nlitellm_settings:\n",
        ),
        ("a: 1\nlitellm_settings:\n  callbacks: hookbox_litellm.hookbox\nb: 1\n", None, "a: 1\nb: 1\n"),
        (
            "litellm_settings:\n  callbacks: [hookbox_litellm.hookbox, b, hookbox_litellm.hookbox]\n",
            None,
            "litellm_settings:\n  callbacks: [b]\n",
        ),
    ] {
        assert_eq!(uninstall_callback(text, find_litellm(), held).unwrap().text, expected, "{text}");
    }
}

#[test]
fn nothing_is_taken_out_where_nothing_is() {
    for text in [
        "",
        "a: 1\n",
        "- a\n",
        "litellm_settings:\n  callbacks: [a, hookbox_litellm.run_claude]\n",
        "litellm_settings: 7\n",
    ] {
        let edit = uninstall_callback(text, find_litellm(), None).unwrap();
        assert_eq!((edit.text.as_str(), edit.events.len()), (text, 0));
    }
    let error = uninstall_callback("a: [", find_litellm(), None).unwrap_err().to_string();
    assert!(error.starts_with("line 2, column 1: "), "{error}");
}

#[test]
fn both_proxies_can_be_installed_in_one_file() {
    let run_claude = find_proxy("run-claude").unwrap();
    let (first, held) = install_callback("a: 1\n", find_litellm()).unwrap();
    let (second, original) = install_callback(&first.text, run_claude).unwrap();
    assert_eq!(
        second.text,
        "a: 1\nlitellm_settings:\n  callbacks: [hookbox_litellm.hookbox, hookbox_litellm.run_claude]\n"
    );
    let back = uninstall_callback(&second.text, run_claude, original).unwrap();
    assert_eq!(back.text, first.text);
    assert_eq!(uninstall_callback(&back.text, find_litellm(), held).unwrap().text, "a: 1\n");
}

#[test]
fn a_proxys_configuration_is_known_by_its_members() {
    assert!(is_one("general_settings: {}\n") && is_one("{\"model_list\": []}"));
    assert!(!is_one("services: {}\n") && !is_one("") && !is_one("a: [") && !is_one("- model_list\n"));
    assert!(includes_files("include: [a.yaml]\n") && !includes_files("a: {include: b}\n"));
}

#[test]
fn what_a_configuration_held_has_a_name() {
    for (held, name) in NAMES {
        assert_eq!((held.name(), OriginalForm::from_name(name)), (name, Some(held)));
    }
    assert_eq!(OriginalForm::from_name("other"), None);
}
