//! Scripts that make no plugin: what is wrong, in which file, at which line, and what to do.

use insta::assert_snapshot;

use crate::{LS, TestBed};

/// What `hookbox check` says of hooks with these files of source, one each; a gate of such a file denies.
fn check_scripts(scripts: &[(&str, &[u8])]) -> String {
    let hook = |(number, (name, _)): (usize, &(&str, &[u8]))| {
        format!("[[hook]]\nname = \"h{number}\"\non = \"tool.before\"\nwasm = {{ path = \"{name}\" }}\n")
    };
    let bed =
        TestBed::with_config(&scripts.iter().enumerate().map(hook).collect::<String>()).with_own_cache();
    for (name, source) in scripts {
        bed.write_bytes(&format!("[HOME]/.config/hookbox/{name}"), source);
    }
    let ran = bed.run_hookbox(&["check"]);
    assert_eq!(ran.code, 1, "{ran}");
    let denied = bed.answer_event(LS);
    assert!(denied.stdout.contains(r#""permissionDecision":"deny""#), "{denied}");
    let lines = ran.stdout.lines().take_while(|line| !line.contains(" checked: "));
    lines.map(|line| line.replace("[HOME]/.config/hookbox/", "") + "\n").collect()
}

#[test]
fn invalid_javascript_is_reported_with_its_line() {
    assert_snapshot!(check_scripts(&[
        ("brace.js", b"export function handle() {\n\treturn {;\n}\n"),
        ("first.js", b"export function handle() { return {; }"),
        ("long.js", format!("const words = '{}'; }}{}", "x".repeat(5000), " ".repeat(500)).as_bytes()),
        ("common.js", b"module.exports = { handle() {} };"),
    ]), @"
    broken h0: bad-component: the plugin brace.js cannot be compiled: brace.js:2:10: invalid property name
      2 |  return {;
        |          ^
    broken h1: bad-component: the plugin first.js cannot be compiled: first.js:1:36: invalid property name
      1 | export function handle() { return {; }
        |                                    ^
    broken h2: bad-component: the plugin long.js cannot be compiled: long.js:1:5019: unexpected token in expression: '}'
      1 | xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; }
        |                                                             ^
    broken h3: bad-component: the plugin common.js cannot be compiled: common.js:1:1: module is not defined: a hook is an ES module: write `export function handle(event)`
      1 | module.exports = { handle() {} };
        | ^
    ");
}

#[test]
fn invalid_typescript_is_reported_with_its_line() {
    assert_snapshot!(check_scripts(&[
        ("brace.ts", b"export function handle(): void {\n  return {;\n}\n"),
        ("enum.ts", b"export const handle = () => {};\nenum Color { Red }\n"),
        ("namespace.ts", b"namespace Words { export const one = 1; }\nexport const handle = () => {};"),
        ("parameter.ts", b"class Rule { constructor(private word: string) {} }\nexport const handle = () => {};"),
        ("assertion.ts", b"export const handle = (event: unknown) => <object>event;"),
    ]), @"
    broken h0: bad-component: the plugin brace.ts cannot be compiled: brace.ts:2:11: Unexpected token `;`. Expected identifier, string literal, numeric literal or [ for the computed key
      2 |   return {;
        |           ^
    broken h1: bad-component: the plugin enum.ts cannot be compiled: enum.ts:2:1: TypeScript enum is more than types, which are all that is taken out: write it in JavaScript
      2 | enum Color { Red }
        | ^
    broken h2: bad-component: the plugin namespace.ts cannot be compiled: namespace.ts:1:1: TypeScript namespace declaration is more than types, which are all that is taken out: write it in JavaScript
      1 | namespace Words { export const one = 1; }
        | ^
    broken h3: bad-component: the plugin parameter.ts cannot be compiled: parameter.ts:1:34: TypeScript parameter property is more than types, which are all that is taken out: write it in JavaScript
      1 | class Rule { constructor(private word: string) {} }
        |                                  ^
    broken h4: bad-component: the plugin assertion.ts cannot be compiled: assertion.ts:1:43: The angle-bracket syntax for type assertions, `<T>expr`, is not supported in type strip mode. Instead, use the 'as' syntax: `expr as T`
      1 | export const handle = (event: unknown) => <object>event;
        |                                           ^
    ");
}

#[test]
fn an_exception_at_the_top_level_is_reported_with_its_line() {
    assert_snapshot!(check_scripts(&[
        ("throws.js", b"const rules = [];\n\nthrow new Error('no rules');\n"),
        ("deep.ts", b"function read(text: string) {\n  return JSON.parse(text);\n}\nconst rules: unknown = read('{');\nexport const handle = () => {};"),
        ("unknown.js", b"const now = performance.now;\nconst path = process.env.PATH;\n"),
        ("text.js", b"throw 'only words';"),
        ("recurses.js", b"const again = () => again() + 1;\nagain();"),
    ]), @r#"
    broken h0: bad-component: the plugin throws.js cannot be compiled: throws.js:3:11: no rules
      3 | throw new Error('no rules');
        |           ^
    broken h1: bad-component: the plugin deep.ts cannot be compiled: deep.ts:2:21: Expected property name or '}' in JSON at position 1 (line 1 column 2)
      2 |   return JSON.parse(text);
        |                     ^
    broken h2: bad-component: the plugin unknown.js cannot be compiled: unknown.js:2:14: process is not defined: `settings()` and `source()` of "hookbox" return the hook's input, within `handle`
      2 | const path = process.env.PATH;
        |              ^
    broken h3: bad-component: the plugin text.js cannot be compiled: text.js: its top level throws "only words"
    broken h4: bad-component: the plugin recurses.js cannot be compiled: recurses.js: its top level calls itself too deep
    "#);
}

#[test]
fn a_script_imports_hookbox_and_nothing_else() {
    assert_snapshot!(check_scripts(&[
        ("fs.js", b"import { deny } from \"hookbox\";\n\nimport fs from \"fs\";\nexport const handle = () => {};"),
        ("beside.js", b"export { handle } from './other.js';"),
        ("itself.js", b"import * as hook from 'itself.js';\nexport const handle = () => {};"),
        ("wasi.js", b"import { getEnvironment } from 'wasi:cli/environment@0.2.12';\nexport const handle = () => {};"),
        ("newer.js", b"import * as log from 'hookbox:hook/log@0.9.0';\nexport const handle = () => {};"),
        ("misspelt.js", b"import { denny } from 'hookbox';\nexport const handle = () => denny();"),
        ("type.ts", b"import { Event } from 'hookbox';\nexport const handle = (event: Event) => {};"),
    ]), @r#"
    broken h0: bad-component: the plugin fs.js cannot be compiled: fs.js:3: import "fs": a hook is one file; it may import "hookbox" alone
    broken h1: bad-component: the plugin beside.js cannot be compiled: beside.js:1: import "./other.js": a hook is one file; it may import "hookbox" alone
    broken h2: bad-component: the plugin itself.js cannot be compiled: itself.js:1: import "itself.js": a hook is one file; it may import "hookbox" alone
    broken h3: bad-component: the plugin wasi.js cannot be compiled: wasi.js:1: import "wasi:cli/environment@0.2.12": a hook is one file; it may import "hookbox" alone
    broken h4: bad-component: the plugin newer.js cannot be compiled: newer.js:1: import "hookbox:hook/log@0.9.0": this hookbox has no such interface: a script may import those of 0.2.0, and one of a later version takes a later hookbox
    broken h5: bad-component: the plugin misspelt.js cannot be compiled: misspelt.js: the module "hookbox" has no `denny` (a type is imported by `import type { denny }`)
    broken h6: bad-component: the plugin type.ts cannot be compiled: type.ts: the module "hookbox" has no `Event` (a type is imported by `import type { Event }`)
    "#);
}

#[test]
fn a_script_without_a_hook_is_refused_with_the_function_to_export() {
    assert_snapshot!(check_scripts(&[
        ("none.js", b"export const rules = [];"),
        ("text.js", b"export const handle = 'deny';"),
    ]), @"
    broken h0: bad-component: the plugin none.js cannot be compiled: none.js: there is no hook in this file: write `export function handle(event) { … }`
    broken h1: bad-component: the plugin text.js cannot be compiled: text.js: there is no hook in this file: write `export function handle(event) { … }`
    ");
}

#[test]
fn a_file_that_is_not_a_script_is_refused_with_the_reason() {
    let long = format!("// {}\nexport const handle = () => {{}};", "x".repeat(1 << 20));
    assert_snapshot!(check_scripts(&[
        ("empty.js", b""),
        ("blank.ts", b"\n\n  \n"),
        ("latin.js", b"export const handle = () => '\xe9';"),
        ("nul.js", b"export const handle =\n() => '\0';"),
        ("long.js", long.as_bytes()),
        ("wasm.js", b"\0asm\x0d\0\x01\0"),
        ("common.cjs", b"module.exports = {};"),
        ("page.tsx", b"export const handle = () => <p/>;"),
        ("hook.py", b"def handle(event): pass"),
    ]), @"
    broken h0: bad-component: the plugin empty.js is empty
    broken h1: bad-component: the plugin blank.ts is empty
    broken h2: bad-component: the plugin latin.js is not UTF-8 text
    broken h3: bad-component: the plugin nul.js is not text: there is a NUL character in line 2
    broken h4: bad-component: the plugin long.js is 1048611 bytes long; the most is 1048576
    broken h5: bad-component: the plugin wasm.js is not text: there is a NUL character in line 1
    broken h6: bad-component: the plugin common.cjs is a CommonJS module; write it as an ES module (`import`, `export`) and call it `.js`
    broken h7: bad-component: the plugin page.tsx has JSX in it by its name; a hook shows nothing: call it `.js` or `.ts`
    broken h8: bad-component: the plugin hook.py is in Python, which is made a component of by other people's tools, and never for an event: write `hookbox plugin build FILE.py` and name the .wasm file, or `hookbox plugin add FILE.py`
    ");
}

/// Catalogue W21.
#[test]
fn a_top_level_that_does_not_end_ends_with_its_fuel() {
    assert_snapshot!(check_scripts(&[
        ("loops.js", b"for (;;) {}"),
        ("waits.js", b"await new Promise(() => {});\nexport const handle = () => {};"),
        ("matches.js", b"/^(a+)+$/.test('a'.repeat(64) + 'b');\nexport const handle = () => {};"),
    ]), @"
    broken h0: bad-component: the plugin loops.js cannot be compiled: loops.js: its top level does not end: it has used 2000000000 units of fuel, which is all that it may
    broken h1: bad-component: the plugin waits.js cannot be compiled: waits.js: its top level awaits what never comes: there is nothing to wait for in a hook
    broken h2: bad-component: the plugin matches.js cannot be compiled: matches.js: its top level does not end: it has used 2000000000 units of fuel, which is all that it may
    ");
}

/// Catalogue W22.
#[test]
fn a_top_level_that_wants_all_memory_gets_what_a_hook_may_have() {
    assert_snapshot!(check_scripts(&[
        ("fills.js", b"const all = [];\nfor (;;) all.push(new Uint8Array(1 << 20).fill(1));"),
        ("grows.js", b"let text = 'x';\nfor (;;) text += text;"),
    ]), @"
    broken h0: bad-component: the plugin fills.js cannot be compiled: fills.js:2:39: out of memory: its top level may have 67108864 bytes
      2 | for (;;) all.push(new Uint8Array(1 << 20).fill(1));
        |                                       ^
    broken h1: bad-component: the plugin grows.js cannot be compiled: grows.js:2:18: string too long
      2 | for (;;) text += text;
        |                  ^
    ");
}

/// Catalogue W23.
#[test]
fn a_top_level_asks_the_host_for_nothing() {
    assert_snapshot!(check_scripts(&[
        ("settings.js", b"import { settings } from 'hookbox';\nconst rules = settings().rules;\nexport const handle = () => {};"),
        ("keeps.js", b"import { kv } from 'hookbox';\nkv.user.set('was', 'here');\nexport const handle = () => {};"),
        ("sends.js", b"import { http } from 'hookbox';\nhttp.get('http://127.0.0.1:1/');\nexport const handle = () => {};"),
        ("clock.js", b"const begun = Date.now();\nexport const handle = () => {};"),
    ]), @"
    broken h0: bad-component: the plugin settings.js cannot be compiled: settings.js: its top level asks for `config.get`, and there is no event yet to answer by: ask within `handle`
    broken h1: bad-component: the plugin keeps.js cannot be compiled: keeps.js: its top level asks for `kv.set`, and there is no event yet to answer by: ask within `handle`
    broken h2: bad-component: the plugin sends.js cannot be compiled: sends.js: its top level asks for `http.send`, and there is no event yet to answer by: ask within `handle`
    broken h3: bad-component: the plugin clock.js cannot be compiled: clock.js: its top level asks for `clock.now`, and there is no event yet to answer by: ask within `handle`
    ");
}

#[test]
fn what_a_script_says_cannot_disturb_a_terminal() {
    assert_snapshot!(check_scripts(&[("escapes.js", "throw new Error('\u{1b}[2J\u{202e}gone');".as_bytes())]), @"
    broken h0: bad-component: the plugin escapes.js cannot be compiled: escapes.js:1:11:  [2J gone
      1 | throw new Error(' [2J gone');
        |           ^
    ");
}

#[test]
fn what_a_script_throws_makes_no_lines_of_its_own() {
    let source = "throw new Error(\"x\\nok    guard: all is well\\n\\u001b[2J\\u202e\");\nexport const handle = () => {};\n";
    assert_snapshot!(check_scripts(&[("forged.js", source.as_bytes())]), @r#"
    broken h0: bad-component: the plugin forged.js cannot be compiled: forged.js:1:11: x ok    guard: all is well  [2J
      1 | throw new Error("x\nok    guard: all is well\n\u001b[2J\u202e");
        |           ^
    "#);
}

#[test]
fn types_that_are_nested_without_end_are_refused_once_and_for_all() {
    let source = format!(
        "type Deep = {}1{};\nexport const handle = () => {{}};\n",
        "[".repeat(200_000),
        "]".repeat(200_000)
    );
    assert_snapshot!(check_scripts(&[("deep.ts", source.as_bytes())]), @"
    broken h0: bad-component: the plugin deep.ts cannot be compiled: it is nested too deep to be read
    ");
}
