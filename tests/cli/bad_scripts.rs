//! Scripts that make no plugin: what is wrong, in which file, at which line, and what to do.

use insta::assert_snapshot;

use crate::{LS, TestBed};

/// What `hookbox check` says of hooks with these files of source, one each; a gate of such a file denies.
fn told(scripts: &[(&str, &[u8])]) -> String {
    let hook = |(number, (name, _)): (usize, &(&str, &[u8]))| {
        format!("[[hook]]\nname = \"h{number}\"\non = \"tool.before\"\nwasm = {{ path = \"{name}\" }}\n")
    };
    let bed = TestBed::with(&scripts.iter().enumerate().map(hook).collect::<String>()).with_own_cache();
    for (name, source) in scripts {
        bed.write_bytes(&format!("[HOME]/.config/hookbox/{name}"), source);
    }
    let ran = bed.hookbox(&["check"]);
    assert_eq!(ran.code, 1, "{ran}");
    let denied = bed.answer(LS);
    assert!(denied.stdout.contains(r#""permissionDecision":"deny""#), "{denied}");
    let lines = ran.stdout.lines().take_while(|line| !line.contains(" checked: "));
    lines.map(|line| line.replace("[HOME]/.config/hookbox/", "") + "\n").collect()
}

#[test]
fn what_cannot_be_read_as_javascript_is_told_with_its_line() {
    assert_snapshot!(told(&[
        ("brace.js", b"export function handle() {\n\treturn {;\n}\n"),
        ("first.js", b"export function handle() { return {; }"),
        ("long.js", format!("const words = '{}'; }}{}", "x".repeat(5000), " ".repeat(500)).as_bytes()),
        ("common.js", b"module.exports = { handle() {} };"),
    ]), @"");
}

#[test]
fn what_cannot_be_read_as_typescript_is_told_with_its_line() {
    assert_snapshot!(told(&[
        ("brace.ts", b"export function handle(): void {\n  return {;\n}\n"),
        ("enum.ts", b"export const handle = () => {};\nenum Color { Red }\n"),
        ("namespace.ts", b"namespace Words { export const one = 1; }\nexport const handle = () => {};"),
        ("parameter.ts", b"class Rule { constructor(private word: string) {} }\nexport const handle = () => {};"),
        ("assertion.ts", b"export const handle = (event: unknown) => <object>event;"),
    ]), @"");
}

#[test]
fn what_its_top_level_throws_is_told_with_its_line() {
    assert_snapshot!(told(&[
        ("throws.js", b"const rules = [];\n\nthrow new Error('no rules');\n"),
        ("deep.ts", b"function read(text: string) {\n  return JSON.parse(text);\n}\nconst rules: unknown = read('{');\nexport const handle = () => {};"),
        ("unknown.js", b"const now = performance.now;\nconst path = process.env.PATH;\n"),
        ("text.js", b"throw 'only words';"),
        ("recurses.js", b"const again = () => again() + 1;\nagain();"),
    ]), @"");
}

#[test]
fn a_script_imports_hookbox_and_nothing_else() {
    assert_snapshot!(told(&[
        ("fs.js", b"import { deny } from \"hookbox\";\n\nimport fs from \"fs\";\nexport const handle = () => {};"),
        ("beside.js", b"export { handle } from './other.js';"),
        ("itself.js", b"import * as hook from 'itself.js';\nexport const handle = () => {};"),
        ("wasi.js", b"import { getEnvironment } from 'wasi:cli/environment@0.2.12';\nexport const handle = () => {};"),
        ("newer.js", b"import * as log from 'hookbox:hook/log@0.9.0';\nexport const handle = () => {};"),
        ("misspelt.js", b"import { denny } from 'hookbox';\nexport const handle = () => denny();"),
        ("type.ts", b"import { Event } from 'hookbox';\nexport const handle = (event: Event) => {};"),
    ]), @"");
}

#[test]
fn a_script_without_a_hook_is_told_what_to_export() {
    assert_snapshot!(told(&[
        ("none.js", b"export const rules = [];"),
        ("text.js", b"export const handle = 'deny';"),
    ]), @"");
}

#[test]
fn a_file_that_is_no_script_is_told_so() {
    let long = format!("// {}\nexport const handle = () => {{}};", "x".repeat(1 << 20));
    assert_snapshot!(told(&[
        ("empty.js", b""),
        ("blank.ts", b"\n\n  \n"),
        ("latin.js", b"export const handle = () => '\xe9';"),
        ("nul.js", b"export const handle =\n() => '\0';"),
        ("long.js", long.as_bytes()),
        ("wasm.js", b"\0asm\x0d\0\x01\0"),
        ("common.cjs", b"module.exports = {};"),
        ("page.tsx", b"export const handle = () => <p/>;"),
        ("hook.py", b"def handle(event): pass"),
    ]), @"");
}

/// Catalogue W21.
#[test]
fn a_top_level_that_does_not_end_ends_with_its_fuel() {
    assert_snapshot!(told(&[
        ("loops.js", b"for (;;) {}"),
        ("waits.js", b"await new Promise(() => {});\nexport const handle = () => {};"),
        ("matches.js", b"/^(a+)+$/.test('a'.repeat(64) + 'b');\nexport const handle = () => {};"),
    ]), @"");
}

/// Catalogue W22.
#[test]
fn a_top_level_that_wants_all_memory_gets_what_a_hook_may_have() {
    assert_snapshot!(told(&[
        ("fills.js", b"const all = [];\nfor (;;) all.push(new Uint8Array(1 << 20).fill(1));"),
        ("grows.js", b"let text = 'x';\nfor (;;) text += text;"),
    ]), @"");
}

/// Catalogue W23.
#[test]
fn a_top_level_asks_the_host_for_nothing() {
    assert_snapshot!(told(&[
        ("settings.js", b"import { settings } from 'hookbox';\nconst rules = settings().rules;\nexport const handle = () => {};"),
        ("keeps.js", b"import { kv } from 'hookbox';\nkv.user.set('was', 'here');\nexport const handle = () => {};"),
        ("sends.js", b"import { http } from 'hookbox';\nhttp.get('http://127.0.0.1:1/');\nexport const handle = () => {};"),
        ("clock.js", b"const begun = Date.now();\nexport const handle = () => {};"),
    ]), @"");
}

#[test]
fn what_a_script_says_cannot_disturb_a_terminal() {
    assert_snapshot!(told(&[("escapes.js", "throw new Error('\u{1b}[2J\u{202e}gone');".as_bytes())]), @"");
}
