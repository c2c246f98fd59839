//! A ratchet for the project's English: `docs/internals/style.md` has the rule and the word list.
//!
//! For each folder, `tests/house/words.txt` has the number of doc comments, function names, texts and test names that break the rule, and for each
//! page of Markdown the number of sentences. A number may fall and not rise. `HOOKBOX_BLESS=1` writes the numbers of today.

use std::{
    collections::BTreeMap,
    env,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The numbers that must not rise.
const TABLE: &str = "tests/house/words.txt";

/// Forms of the word list, each with the standard term. A form matches whole words, in upper or lower case.
const FORMS: &[(&str, &str)] = &[
    ("told", "reports, is passed"),
    ("heard", "received"),
    ("unheard", "undelivered, fallback"),
    ("heed", "support, honour"),
    ("heeds", "supports, honours"),
    ("patience", "agent timeout"),
    ("stranger", "untrusted"),
    ("strangers", "untrusted"),
    ("stranger's", "untrusted"),
    ("nobody has reviewed", "untrusted"),
    ("nobody", "not, no …"),
    ("whoever", "the caller, the user, the process that"),
    ("a person", "the user"),
    ("is no", "is not a"),
    ("are no", "are not"),
    ("is none", "is not one"),
    ("beside", "next to, in addition to"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("goes by", "is determined by"),
    ("by which", "is identified by"),
    ("comes to", "results in"),
    ("came of", "the result of"),
    ("lives on", "is long-running"),
    ("apart", "isolated, in a separate process"),
    ("at once", "immediately, concurrently"),
    ("as far as", "if, where"),
    ("of ours", "hookbox's, built-in"),
    ("our own", "hookbox's, built-in"),
    ("function of python", "Python function"),
    ("lockfile", "lock file"),
    ("own gate", "self-protection"),
    ("own rule", "self-protection"),
    ("the way of", "flow"),
    ("if not said", "defaults to …"),
];

/// Words that must not open a doc comment.
const OPENINGS: [&str; 9] = ["what", "who", "whose", "whom", "whoever", "whether", "by", "of", "those"];
/// Words that open a question.
const QUESTIONS: [&str; 10] = ["is", "are", "does", "do", "has", "have", "may", "can", "was", "did"];
/// One-word function names that are customary.
const CUSTOMARY: [&str; 12] =
    ["new", "main", "default", "from", "fmt", "drop", "next", "parse", "run", "handle", "open", "len"];

/// Counts of one folder or page.
#[derive(Clone, Copy, Default)]
struct Counts {
    /// Doc comments that open with a listed word or are a question.
    openings: (usize, usize),
    /// Doc comments with a listed form.
    idioms: (usize, usize),
    /// Function names of one word; constructors, getters and methods of traits aside.
    names: (usize, usize),
    /// Texts of four words or more with a listed form.
    texts: (usize, usize),
    /// Names of tests with a listed form.
    tests: (usize, usize),
    /// Sentences of Markdown with a listed form.
    sentences: (usize, usize),
}

const COLUMNS: [&str; 6] = ["openings", "idioms", "names", "texts", "tests", "sentences"];

impl Counts {
    fn columns(&self) -> [(usize, usize); 6] {
        let Self { openings, idioms, names, texts, tests, sentences } = *self;
        [openings, idioms, names, texts, tests, sentences]
    }

    fn columns_mut(&mut self) -> [&mut (usize, usize); 6] {
        let Self { openings, idioms, names, texts, tests, sentences } = self;
        [openings, idioms, names, texts, tests, sentences]
    }

    fn count_item(&mut self, column: usize, is_found: bool) {
        let [found, all] = [usize::from(is_found), 1];
        let column = self.columns_mut().into_iter().nth(column).unwrap();
        *column = (column.0 + found, column.1 + all);
    }

    fn add_counts(&mut self, other: Self) {
        for (own, other) in self.columns_mut().into_iter().zip(other.columns()) {
            *own = (own.0 + other.0, own.1 + other.1);
        }
    }
}

fn split_words(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    parts.filter(|part| !part.is_empty()).map(|part| part.trim_matches('\'').to_lowercase()).collect()
}

/// Returns the first listed form in a text.
fn form_in(text: &str) -> Option<&'static str> {
    let words = split_words(text);
    let has = |form: &str| {
        let form: Vec<_> = form.split(' ').collect();
        let mut windows = words.windows(form.len()).enumerate();
        windows.any(|(at, window)| {
            // "There is no such hook" and "the key is no longer valid" are plain English.
            let is_there = at > 0 && words[at - 1] == "there";
            let is_longer = words.get(at + form.len()).is_some_and(|next| next == "longer");
            !is_there && !is_longer && window.iter().zip(&form).all(|(word, wanted)| word == wanted)
        })
    };
    FORMS.iter().map(|(form, _)| *form).find(|form| has(form))
}

fn opens_wrong(comment: &str) -> bool {
    let first = split_words(comment.split_inclusive(['.', '?', ':']).next().unwrap_or_default());
    let Some(word) = first.first() else { return false };
    OPENINGS.contains(&word.as_str())
        || (QUESTIONS.contains(&word.as_str())
            && comment.split(['.', ':']).next().is_some_and(|first| first.contains('?')))
}

/// The counts of a folder or page, and the places that they count: the column, and the text.
#[derive(Default)]
struct Counted {
    counts: Counts,
    places: Vec<(usize, String)>,
}

/// Reader of a file's tokens.
#[derive(Default)]
struct Reader {
    counts: Counts,
    places: Vec<(usize, String)>,
    comment: String,
    is_inner: bool,
    is_test: bool,
}

impl Reader {
    fn read_tokens(&mut self, stream: TokenStream, is_of_trait: bool) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut is_trait = false;
        for (at, token) in tokens.iter().enumerate() {
            match token {
                TokenTree::Ident(word) if *word == "impl" || *word == "trait" => {
                    is_trait = *word == "trait" || is_impl_of_trait(&tokens[at..]);
                }
                TokenTree::Ident(word) if *word == "fn" => self.read_function(&tokens[at + 1..], is_of_trait),
                TokenTree::Literal(literal) => self.read_literal(&literal.to_string()),
                TokenTree::Group(group)
                    if group.delimiter() == Delimiter::Bracket && is_attribute(&tokens, at) =>
                {
                    let is_inner =
                        matches!(&tokens[at - 1], TokenTree::Punct(punct) if punct.as_char() == '!');
                    self.read_attribute(group.stream(), is_inner);
                    continue;
                }
                TokenTree::Group(group) => {
                    self.comment_ends();
                    let is_body = group.delimiter() == Delimiter::Brace;
                    self.read_tokens(group.stream(), is_trait && is_body);
                    is_trait &= !is_body;
                }
                _ => {}
            }
            if !matches!(token, TokenTree::Punct(_)) {
                self.comment_ends();
            }
        }
        self.comment_ends();
    }

    fn read_attribute(&mut self, stream: TokenStream, is_inner: bool) {
        // A file's own comment and that of its first item are two.
        if std::mem::replace(&mut self.is_inner, is_inner) != is_inner {
            self.comment_ends();
        }
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        match tokens.as_slice() {
            [TokenTree::Ident(name), _, TokenTree::Literal(text)] if *name == "doc" => {
                self.comment.push_str(text.to_string().trim_matches('"'));
                self.comment.push('\n');
            }
            [TokenTree::Ident(name)] if *name == "test" => self.is_test = true,
            // The reason of an expectation is not shown to users.
            _ => {}
        }
    }

    fn comment_ends(&mut self) {
        let comment = std::mem::take(&mut self.comment);
        if comment.is_empty() {
            return;
        }
        let first = comment.trim();
        self.record_item(0, opens_wrong(first), first);
        self.record_item(1, form_in(first).is_some(), first);
    }

    fn read_function(&mut self, after: &[TokenTree], is_of_trait: bool) {
        let Some(TokenTree::Ident(name)) = after.first() else { return };
        let name = name.to_string();
        if std::mem::take(&mut self.is_test) {
            self.record_item(4, form_in(&name.replace('_', " ")).is_some(), &name);
            return;
        }
        let arguments = after.iter().find_map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                Some(group.stream().to_string())
            }
            _ => None,
        });
        let is_getter =
            arguments.is_some_and(|arguments| ["& self", "&self", "self"].contains(&arguments.as_str()));
        if is_of_trait || is_getter || CUSTOMARY.contains(&name.as_str()) {
            return;
        }
        self.record_item(2, !name.contains('_'), &name);
    }

    fn read_literal(&mut self, literal: &str) {
        if literal.starts_with(['"', 'r']) && split_words(literal).len() >= 4 {
            self.record_item(3, form_in(literal).is_some(), literal);
        }
    }

    fn record_item(&mut self, column: usize, is_found: bool, text: &str) {
        self.counts.count_item(column, is_found);
        if is_found {
            self.places.push((column, text.lines().next().unwrap_or_default().to_owned()));
        }
    }
}

/// Returns true for `#[…]` or `#![…]`.
fn is_attribute(tokens: &[TokenTree], at: usize) -> bool {
    let punct = |back: usize| match at.checked_sub(back).map(|at| &tokens[at]) {
        Some(TokenTree::Punct(punct)) => Some(punct.as_char()),
        _ => None,
    };
    punct(1) == Some('#') || (punct(1) == Some('!') && punct(2) == Some('#'))
}

/// Returns true for `impl Trait for Type`, but not for `for<'a>`.
fn is_impl_of_trait(tokens: &[TokenTree]) -> bool {
    let head: Vec<_> = tokens
        .iter()
        .take_while(
            |token| !matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace),
        )
        .collect();
    head.windows(2).any(|pair| match pair {
        [TokenTree::Ident(word), TokenTree::Punct(next)] => *word == "for" && next.as_char() != '<',
        [TokenTree::Ident(word), _] => *word == "for",
        _ => false,
    })
}

fn counts_of_rust(source: &str) -> Counted {
    let mut reader = Reader::default();
    reader.read_tokens(source.parse().unwrap(), false);
    let Reader { counts, places, .. } = reader;
    Counted { counts, places }
}

fn counts_of_markdown(page: &str) -> Counted {
    let mut reader = Reader::default();
    let mut is_code = false;
    let prose = page.lines().filter(|line| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        !is_code && !is_fence
    });
    let prose: String =
        prose.collect::<Vec<_>>().join("\n").split('`').step_by(2).collect::<Vec<_>>().join("x");
    for sentence in
        prose.split(['.', '|', '\n', ':', ';']).filter(|sentence| split_words(sentence).len() >= 4)
    {
        reader.record_item(5, form_in(sentence).is_some(), sentence.trim());
    }
    let Reader { counts, places, .. } = reader;
    Counted { counts, places }
}

fn list_files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if !["target", "node_modules", "cases"].iter().any(|name| path.ends_with(name)) {
                found.extend(list_files(&path, extension));
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

/// Returns the current counts: of each crate or folder of tests, and of each page.
fn count_all() -> BTreeMap<String, Counted> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut counted: BTreeMap<String, Counted> = BTreeMap::new();
    let mut add = |name: String, found: Counted| {
        let counted = counted.entry(name).or_default();
        counted.counts.add_counts(found.counts);
        counted.places.extend(found.places);
    };
    for folder in ["host", "packages", "plugins", "sdk", "tests", "benches"] {
        for file in list_files(&root.join(folder), "rs") {
            let name = file.strip_prefix(root).unwrap().to_string_lossy().into_owned();
            let folder = name.split('/').take(2).collect::<Vec<_>>().join("/");
            let source = fs::read_to_string(&file).unwrap();
            add(folder, counts_of_rust(&source));
        }
    }
    let folders = ["docs", "integrations", "packages", "plugins", "sdk"]
        .map(|folder| list_files(&root.join(folder), "md"));
    for file in folders.into_iter().flatten().chain([root.join("README.md")]) {
        let name = file.strip_prefix(root).unwrap().to_string_lossy().into_owned();
        add(name, counts_of_markdown(&fs::read_to_string(&file).unwrap()));
    }
    counted
}

fn table_of(counted: &BTreeMap<String, Counted>) -> String {
    let mut table = format!("# {}\n", COLUMNS.join(", "));
    for (name, Counted { counts, .. }) in counted {
        let cells = counts.columns().map(|(found, _)| found.to_string()).join(" ");
        writeln!(table, "{name} {cells}").unwrap();
    }
    table
}

fn format_share((found, all): (usize, usize)) -> String {
    let permille = (found * 1000).checked_div(all).unwrap_or_default();
    format!("{found} of {all} ({}.{} %)", permille / 10, permille % 10)
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the variable asks for new counts")]
fn no_count_of_house_words_rises() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    let counted = count_all();
    let mut all = Counts::default();
    for counted in counted.values() {
        all.add_counts(counted.counts);
    }
    for (column, counts) in COLUMNS.iter().zip(all.columns()) {
        println!("{column}: {}", format_share(counts));
    }
    if env::var_os("HOOKBOX_BLESS").is_some() {
        fs::write(&file, table_of(&counted)).unwrap();
        return;
    }
    let table = fs::read_to_string(&file).unwrap();
    let limits: BTreeMap<&str, Vec<usize>> = table
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let (name, cells) = line.split_once(' ').unwrap();
            (name, cells.split(' ').map(|cell| cell.parse().unwrap()).collect())
        })
        .collect();
    let mut risen = Vec::new();
    for (name, Counted { counts, places }) in &counted {
        for (at, (column, (found, _))) in COLUMNS.iter().zip(counts.columns()).enumerate() {
            let limit = limits.get(name.as_str()).map_or(0, |limits| limits[at]);
            if found > limit {
                risen.push(format!("{name}: {found} {column}, {limit} before:"));
                let places = places.iter().filter(|(column, _)| *column == at);
                risen.extend(places.map(|(_, text)| format!("    {text}")));
            }
        }
    }
    assert!(risen.is_empty(), "docs/internals/style.md has the rule and the word list\n{}", risen.join("\n"));
}

#[test]
fn the_counts_see_each_kind_of_place() {
    let counts = counts_of_rust(
        r#"
        //! A room.
        /// What is told.
        /// More.
        pub fn of(x: u8) -> u8 { say("it is told to nobody here", x) }
        /// Is it so?
        fn is_so(&self) -> bool { true }
        impl Display for X { fn shown(&self, f: &mut F) { } }
        trait Y { fn said(x: u8); }
        /// Returns the room.
        fn kept() {}
        #[test]
        fn whoever_is_told_waits() {}
        #[test]
        fn a_result_is_reported() { assert!(x, "a text without any form") }
        "#,
    );
    let counts = counts.counts;
    assert_eq!(counts.openings, (2, 4));
    assert_eq!(counts.idioms, (1, 4));
    assert_eq!(counts.names, (2, 2));
    assert_eq!(counts.texts, (1, 2));
    assert_eq!(counts.tests, (1, 2));
    let page = counts_of_markdown(
        "# Room\n\nThe answer is told to the user. A hook is a `told` rule. The old key is no longer valid.\n\n```\ntold told told told\n```\n",
    );
    assert_eq!(page.counts.sentences, (1, 3));
}

#[test]
fn each_listed_form_is_in_the_word_list_of_the_manual() {
    let style =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/internals/style.md")).unwrap();
    let style = split_words(&style).join(" ");
    let missing: Vec<_> = FORMS.iter().map(|(form, _)| form).filter(|form| !style.contains(**form)).collect();
    assert_eq!(missing, Vec::<&&str>::new());
}
