//! `plugin.toml`: the plugin author's file, checked like the host does, with every problem at its line.

mod build;
mod keys;

pub use self::build::{Build, CommandBuild, LANGUAGES, LanguageBuild, resolve_alias};

use std::{ops::Range, path::Path};

use hookbox_core::{
    ShippedPlugins,
    hookfile::{Lines, PlacedProblem, Problem, Severity, Source, did_you_mean, quote_word},
};
use hookbox_model::{Layer, MAX_MANIFEST_BYTES, Manifest, ManifestError, TrustLevel, bounded_text};
use serde_json::{Map, Value};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// Schema version of written manifests.
const SCHEMA: u64 = 1;

/// A valid manifest.
#[derive(Debug)]
pub struct PluginToml {
    /// Its content.
    pub manifest: Manifest,
    /// The content of the section.
    pub json: Vec<u8>,
    /// Build settings, if there are any; not part of the manifest.
    pub build: Option<Build>,
}

/// Parses the bytes of the file. `world` is the default world of the plugin.
pub fn parse_file(file: &Path, bytes: Vec<u8>, world: Option<&str>) -> Result<PluginToml, Vec<Problem>> {
    let source = decode_source(file, bytes).map_err(|problem| vec![*problem])?;
    let lines = Lines::from_text(&source.text);
    let (root, errors) = DeTable::parse_recoverable(&source.text);
    let root = root.into_inner();
    // Further errors of a parser that recovers are mostly consequences of the first.
    let mut found: Vec<_> = errors.iter().take(1).map(|error| no_toml(&source.text, error)).collect();
    if found.is_empty() {
        unknown_keys(&root, "", &mut found);
    }
    let build = build::parse_table(&root, &mut found);
    if !found.is_empty() {
        found.sort_by_key(|found| found.span.start);
        return Err(found.into_iter().map(|found| found.into_problem(&source, &lines, &[])).collect());
    }
    let json = build_section(&source, world).map_err(|problem| vec![*problem])?;
    match Manifest::parse(&json) {
        Ok(manifest) => Ok(PluginToml { manifest, json, build }),
        Err(error) => Err(vec![to_problem(&error, &root, &source, &lines)]),
    }
}

fn decode_source(file: &Path, bytes: Vec<u8>) -> Result<Source, Box<Problem>> {
    let source = Source {
        layer: Layer::User,
        trust_level: TrustLevel::Own,
        file: Some(file.to_owned()),
        root: None,
        plugins: ShippedPlugins::default(),
        text: String::new(),
    };
    if bytes.len() > MAX_MANIFEST_BYTES {
        let message = format!("the file has {} bytes, but may have {MAX_MANIFEST_BYTES}", bytes.len());
        return Err(Box::new(source.make_problem(Severity::Error, message, None)));
    }
    source.with_bytes(bytes)
}

fn no_toml(text: &str, error: &toml::de::Error) -> PlacedProblem {
    let span = error.span().unwrap_or_default();
    match error.message() {
        "duplicate key" => {
            let key = text.get(span.clone()).unwrap_or_default();
            PlacedProblem::error(span, format!("{} is already set", quote_word(key)))
                .help("each key can be set once")
        }
        message => PlacedProblem::error(span, format!("this is not TOML: {}", bounded_text(message))),
    }
}

/// Collects unknown keys of the table at this path and of the tables within it.
fn unknown_keys(table: &DeTable<'_>, path: &str, found: &mut Vec<PlacedProblem>) {
    let known = keys::list_names_within(path);
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if !known.contains(&name) {
            let error = PlacedProblem::error(key.span(), format!("unknown key {}", quote_word(name)));
            found.push(error.help(did_you_mean(name, &known)));
            continue;
        }
        let below = format!("{path}{name}.");
        if let Some(table) =
            value.get_ref().as_table().filter(|_| !keys::list_names_within(&below).is_empty())
        {
            unknown_keys(table, &below, found);
        }
    }
}

/// Returns the content of the section; dates, and other values that JSON does not have, are reported as errors of their type.
fn build_section(source: &Source, world: Option<&str>) -> Result<Vec<u8>, Box<Problem>> {
    let table = source.text.parse::<toml::Table>().map_err(|error| error.to_string());
    let section = table.and_then(|table| serde_json::to_value(table).map_err(|error| error.to_string()));
    let section = section
        .map_err(|error| Box::new(source.make_problem(Severity::Error, bounded_text(&error), None)))?;
    let mut members = Map::from_iter([("schema".to_owned(), SCHEMA.into())]);
    members.extend(section.as_object().cloned().unwrap_or_default());
    // `remove` would change the order of the other members, and so the digest of the plugin.
    members.shift_remove(build::TABLE);
    if let Some(world) = world {
        members.entry("world").or_insert_with(|| world.into());
    }
    Ok(Value::Object(members).to_string().into_bytes())
}

/// Converts the host's error to a problem at its line.
fn to_problem(error: &ManifestError, root: &DeTable<'_>, source: &Source, lines: &Lines<'_>) -> Problem {
    let message = error.to_string();
    let help = |member: &str| keys::find_example(member).map(|example| format!("for example {example}"));
    match error.member() {
        Some(member) => match span_of(root, member, &message) {
            Some(span) => {
                let found = PlacedProblem::error(span, message);
                let found = match help(member) {
                    Some(help) => found.help(help),
                    None => found,
                };
                found.into_problem(source, lines, &[])
            }
            None => source.make_problem(Severity::Error, message, help(member)),
        },
        None => source.make_problem(Severity::Error, message, None),
    }
}

/// Returns the place of the member; in a list, that of the text in the message.
fn span_of(root: &DeTable<'_>, member: &str, message: &str) -> Option<Range<usize>> {
    let mut table = root;
    let mut names = member.split('.').peekable();
    while let Some(name) = names.next() {
        let value = table.get(name)?;
        if names.peek().is_none() {
            return Some(find_named(value, message).unwrap_or_else(|| value.span()));
        }
        table = value.get_ref().as_table()?;
    }
    None
}

fn find_named(value: &Spanned<DeValue<'_>>, message: &str) -> Option<Range<usize>> {
    let items = value.get_ref().as_array()?;
    let is_named = |item: &&Spanned<DeValue<'_>>| {
        item.get_ref().as_str().is_some_and(|text| message.contains(&format!("`{text}`")))
    };
    items.iter().find(is_named).map(Spanned::span)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "name = \"a/b\"\nversion = \"1.0.0\"\n[capabilities]\nclock = true\n";
    const WORLD: &str = "hookbox:hook/hook@0.1.0";

    fn read_text(text: &str) -> Result<PluginToml, Vec<Problem>> {
        parse_file(Path::new("plugin.toml"), text.into(), Some(WORLD))
    }

    fn report_problems(text: &str) -> String {
        let problems = read_text(text).unwrap_err();
        problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn what_the_host_accepts_becomes_json() {
        let PluginToml { manifest, json, build } = read_text(GOOD).unwrap();
        assert_eq!((manifest.name.as_str(), manifest.asks.names()), ("a/b", vec!["clock".to_owned()]));
        assert_eq!(build, None);
        assert_eq!(
            String::from_utf8(json).unwrap(),
            format!(
                r#"{{"schema":1,"capabilities":{{"clock":true}},"name":"a/b","version":"1.0.0","world":"{WORLD}"}}"#
            )
        );
    }

    #[test]
    fn a_stated_world_stays_and_none_is_made_up() {
        let text = format!("world = \"a:b/c\"\n{GOOD}");
        assert_eq!(read_text(&text).unwrap().manifest.world.as_deref(), Some("a:b/c"));
        assert_eq!(parse_file(Path::new("x"), GOOD.into(), None).unwrap().manifest.world, None);
    }

    #[test]
    fn how_it_is_built_is_read_and_stays_out_of_the_manifest() {
        let text = format!("{GOOD}[build]\nlanguage = \"zig\"\nsource = \"src/my hook.zig\"\n");
        let read = read_text(&text).unwrap();
        let of = |language: &str, source: Option<&str>| {
            let source = source.map(str::to_owned);
            Some(Build::Language(LanguageBuild { language: language.to_owned(), source }))
        };
        let build = of("zig", Some("src/my hook.zig"));
        assert_eq!((read.build, read.json), (build, read_text(GOOD).unwrap().json));
        let short = read_text(&format!("{GOOD}[build]\nlanguage = \"c\"\n")).unwrap();
        assert_eq!(short.build, of("c", None));
    }

    #[test]
    fn a_command_that_builds_it_is_read_and_stays_out_of_the_manifest() {
        let text =
            format!("{GOOD}[build]\ncommand = [\"make\", \"-C\", \"a b\"]\noutput = \"out/hook.wasm\"\n");
        let read = read_text(&text).unwrap();
        let argv = ["make", "-C", "a b"].map(str::to_owned).into();
        let build = Build::Command(CommandBuild { argv, output: "out/hook.wasm".to_owned() });
        assert_eq!((read.build, read.json), (Some(build), read_text(GOOD).unwrap().json));
    }

    #[test]
    fn a_command_with_a_wrong_entry_is_refused_at_its_line() {
        assert_eq!(
            report_problems(&format!(
                "{GOOD}[build]\nlanguage = \"rust\"\ncommand = \"make\"\noutput = \"../x.wasm\"\n"
            )),
            "\
plugin.toml:6:1: error: `build` has a `command`, which takes no `language`
  6 | language = \"rust\"
    | ^^^^^^^^
  help: take one of the two out
plugin.toml:7:11: error: `command` is not a list of a program and its arguments, all of them texts that are not empty
  7 | command = \"make\"
    |           ^^^^^^
  help: no shell reads it: command = [\"make\", \"hook.wasm\"] and output = \"hook.wasm\"
plugin.toml:8:10: error: `output` is not a path within the plugin's folder
  8 | output = \"../x.wasm\"
    |          ^^^^^^^^^^^
  help: write it from the folder of plugin.toml, without `..`: output = \"hook.wasm\""
        );
        for words in ["[]", "[\"\"]", "[\"make\", 1]", "[\"make\", \"a\\u0000b\"]"] {
            let said = report_problems(&format!("{GOOD}[build]\ncommand = {words}\noutput = \"x.wasm\"\n"));
            assert!(said.starts_with("plugin.toml:6:11: error: `command` is not a list"), "{said}");
        }
        let said = report_problems(&format!("{GOOD}[build]\ncommand = [\"make\"]\n"));
        assert!(said.starts_with("plugin.toml:6:11: error: `command` has no `output`"), "{said}");
        let said = report_problems(&format!("{GOOD}[build]\nlanguage = \"c\"\noutput = \"x.wasm\"\n"));
        assert!(
            said.starts_with("plugin.toml:7:1: error: `output` is the file that a `command` makes"),
            "{said}"
        );
    }

    #[test]
    fn an_unknown_language_and_a_source_outside_the_folder_are_refused_at_their_lines() {
        assert_eq!(
            report_problems(&format!("{GOOD}[build]\nlanguage = \"pyton\"\nsource = \"../x.py\"\n")),
            "\
plugin.toml:6:12: error: `language` is `pyton`, which `hookbox plugin build` does not know
  6 | language = \"pyton\"
    |            ^^^^^^^
  help: did you mean `python`? allowed: rust, javascript, typescript, python, c, zig, assemblyscript, go
plugin.toml:7:10: error: `source` is not a path within the plugin's folder
  7 | source = \"../x.py\"
    |          ^^^^^^^^^
  help: write it from the folder of plugin.toml, without `..`: source = \"src/hook.zig\""
        );
        assert_eq!(
            report_problems(&format!("{GOOD}[build]\nsource = \"/x.py\"\n")),
            "\
plugin.toml:5:1: error: `build` says no `language`
  5 | [build]
    | ^^^^^^^
  help: allowed: rust, javascript, typescript, python, c, zig, assemblyscript, go; for a tool of your own: command = [\"make\", \"hook.wasm\"] and output = \"hook.wasm\"
plugin.toml:6:10: error: `source` is not a path within the plugin's folder
  6 | source = \"/x.py\"
    |          ^^^^^^^
  help: write it from the folder of plugin.toml, without `..`: source = \"src/hook.zig\""
        );
        assert!(
            report_problems(&format!("build = 1\n{GOOD}"))
                .starts_with("plugin.toml:1:9: error: `build` is not a table")
        );
    }

    #[test]
    fn all_unknown_keys_are_reported_at_their_lines_with_the_nearest_known_key() {
        let text = GOOD.replace("clock", "clok").replace("version", "verson") + "fs = { raed = [] }\n";
        assert_eq!(
            report_problems(&text),
            "\
plugin.toml:2:1: error: unknown key `verson`
  2 | verson = \"1.0.0\"
    | ^^^^^^
  help: did you mean `version`? allowed: name, version, seq, description, world, min-host, events, effects, capabilities, build
plugin.toml:4:1: error: unknown key `clok`
  4 | clok = true
    | ^^^^
  help: did you mean `clock`? allowed: clock, random, env, fs, http, secret, kv
plugin.toml:5:8: error: unknown key `raed`
  5 | fs = { raed = [] }
    |        ^^^^
  help: did you mean `read`? allowed: read, write"
        );
    }

    #[test]
    fn what_the_host_refuses_is_refused_at_its_line() {
        assert_eq!(
            report_problems(&GOOD.replace("true", "1")),
            "\
plugin.toml:4:9: error: its `capabilities.clock` is neither true nor false
  4 | clock = 1
    |         ^
  help: for example clock = true"
        );
        assert_eq!(
            report_problems(&format!("effects = [\"ask\", \"fly\"]\n{GOOD}")),
            "\
plugin.toml:1:19: error: its `effects` name `fly`, which is not one: observe, ask, deny-code, context, deny-text, rewrite, allow
  1 | effects = [\"ask\", \"fly\"]
    |                   ^^^^^
  help: for example effects = [\"ask\", \"deny-code\"]"
        );
        assert_eq!(
            report_problems("name = \"a\"\n"),
            "plugin.toml: error: it has no `version`\n  help: for example version = \"1.2.0\""
        );
    }

    #[test]
    fn invalid_toml_is_reported_with_its_line() {
        assert!(
            report_problems("name = \n").starts_with("plugin.toml:1:8: error: this is not TOML"),
            "{}",
            report_problems("name = \n")
        );
        assert!(
            report_problems("name = \"a\"\nname = \"b\"")
                .starts_with("plugin.toml:2:1: error: `name` is already set")
        );
        assert!(
            report_problems(&"#".repeat(MAX_MANIFEST_BYTES + 1))
                .contains("the file has 65537 bytes, but may have 65536")
        );
        let latin = parse_file(Path::new("plugin.toml"), b"name = \"\xe9\"".to_vec(), None).unwrap_err();
        assert!(latin[0].to_string().contains("the byte 0xe9 is not UTF-8"), "{}", latin[0]);
    }

    #[test]
    fn every_capability_has_a_key() {
        let keys = keys::list_names_within("capabilities.");
        assert_eq!(keys, hookbox_model::RequestedGrants::all_names());
    }

    #[test]
    fn every_key_is_one_that_the_host_knows_and_every_example_is_good() {
        // A plugin is built in one of two ways.
        for left_out in [["build.command", "build.output"], ["build.language", "build.source"]] {
            let keys = keys::list_all_keys().filter(|(path, _)| !left_out.contains(path));
            let text =
                keys.map(|(path, example)| (path.rsplit_once('.').map_or("", |(table, _)| table), example));
            let mut tables: Vec<(&str, String)> = Vec::new();
            for (table, example) in text {
                match tables.iter_mut().find(|(name, _)| *name == table) {
                    Some((_, lines)) => lines.extend([example, "\n"]),
                    None => tables.push((table, format!("{example}\n"))),
                }
            }
            let bodies = tables.iter().map(|(name, lines)| match *name {
                "" => lines.clone(),
                name => format!("[{name}]\n{lines}"),
            });
            let manifest = read_text(&bodies.collect::<String>()).unwrap().manifest;
            assert_eq!(manifest.unknown, Vec::<String>::new());
            assert_eq!(manifest.asks.names().len(), 8, "{:?}", manifest.asks.names());
        }
    }
}
