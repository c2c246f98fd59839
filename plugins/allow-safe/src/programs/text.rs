//! Programs that read text and print it.

use super::{Program, any, checked, listed, own};
use crate::scripts::{is_harmless_awk, is_harmless_sed};

pub(super) const PROGRAMS: &[Program] = &[
    any(&[
        "cat",
        "head",
        "tail",
        "wc",
        "nl",
        "tac",
        "rev",
        "cut",
        "paste",
        "fold",
        "expand",
        "unexpand",
        "od",
        "cksum",
        "md5sum",
        "sha1sum",
        "sha224sum",
        "sha256sum",
        "sha384sum",
        "sha512sum",
        "b2sum",
        "sum",
        "cmp",
        "comm",
        "join",
    ]),
    listed(&["fmt"], "-w: -s -u -t -c"),
    listed(&["column"], "-t -s: -x -n -c: -N: -o:"),
    listed(&["tr"], "-d -s -c -C -t --delete --squeeze-repeats --complement"),
    // Without `-o`, `--compress-program` and `-T`.
    listed(
        &["sort"],
        "-b -d -f -g -i -M -h -n -R -r -V -c -C -k: -m -s -t: -u -z --numeric-sort --reverse --unique --human-numeric-sort --version-sort --key: --field-separator: --check",
    ),
    // The second operand of these is written.
    checked(&["uniq"], "-c -d -D -i -u -f: -s: -w: --count --repeated --unique", |_, given, _| {
        given.operands.len() < 2
    }),
    checked(&["xxd"], "-a -b -c: -C -d -e -E -g: -i -l: -o: -p -ps -s: -u", |_, given, _| {
        given.operands.len() < 2
    }),
    listed(&["hexdump", "hd"], "-b -c -C -d -n: -o -s: -v -x"),
    checked(&["strings"], "-a -f -n: -t: -e: -0 --all --bytes: --radix:", super::data::has_no_list),
    listed(&["seq", "factor"], "-f: -s: -w -0"),
    own(&["sed"], |command, _, _| is_safe_sed(command)),
    own(&["awk", "gawk", "mawk", "nawk"], |command, _, _| is_safe_awk(command)),
];

fn is_safe_sed(command: &shell_commands::facts::SimpleCommand) -> bool {
    let words = command.words.get(1..).unwrap_or_default();
    // Without `-i`, `-f` and `--in-place`; `-s` and `-n` take no value.
    let known = "-n -E -r -s -u -z -e: --quiet --silent --regexp-extended --expression:";
    let Some(given) = crate::options::read_options(words, known) else { return false };
    let scripts: Vec<&str> = given
        .options
        .iter()
        .filter(|(name, _)| name == "-e" || name == "--expression")
        .filter_map(|(_, value)| *value)
        .collect();
    match (scripts.as_slice(), given.operands.first()) {
        ([], Some(script)) => is_harmless_sed(&script.text),
        ([], None) => false,
        // The scripts are one text: a command may continue in the next one.
        (scripts, _) => {
            is_harmless_sed(&scripts.join("\n")) && scripts.iter().all(|script| is_harmless_sed(script))
        }
    }
}

fn is_safe_awk(command: &shell_commands::facts::SimpleCommand) -> bool {
    let words = command.words.get(1..).unwrap_or_default();
    let Some(given) = crate::options::read_options(words, "-F: -v: first") else { return false };
    given.operands.first().is_some_and(|script| is_harmless_awk(&script.text))
        && given.operands.iter().skip(1).all(|operand| !operand.text.starts_with('-'))
}
