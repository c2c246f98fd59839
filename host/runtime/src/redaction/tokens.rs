//! Redacts words that look like secrets, in any context: for texts that are kept, when the actual secrets are not
//! known. A redacted harmless word costs less than a kept secret.

use std::{borrow::Cow, collections::HashMap, sync::OnceLock};

use regex::bytes::Regex;

use super::{REDACTED, compile_once, markers::redact_marked, redact_matches};

/// Prefixes of known services' tokens, with the least length of such a word.
const BEGINNINGS: [(&str, usize); 95] = [
    ("ABIA", 20),
    ("ACCA", 20),
    ("AGE-SECRET-KEY-", 20),
    ("AIza", 30),
    ("AKCp", 30),
    ("AKIA", 16),
    ("ASIA", 16),
    ("ATATT3", 20),
    ("EZAK", 40),
    ("EZTK", 40),
    ("FLWSECK", 20),
    ("GOCSPX-", 20),
    ("LTAI", 20),
    ("NRAK-", 20),
    ("NRII-", 20),
    ("NRJS-", 20),
    ("PMAK-", 20),
    ("SG.", 24),
    ("SWMTKN-", 20),
    ("api_org_", 20),
    ("cmVmd", 30),
    ("dckr_oat_", 16),
    ("dckr_pat_", 16),
    ("doo_v1_", 20),
    ("dop_v1_", 20),
    ("dor_v1_", 20),
    ("dp.pt.", 20),
    ("dp.st.", 20),
    ("dt0c01.", 20),
    ("figd_", 20),
    ("fio-u-", 20),
    ("fo1_", 20),
    ("gho_", 16),
    ("ghp_", 16),
    ("ghr_", 16),
    ("ghs_", 16),
    ("ghu_", 16),
    ("github_pat_", 20),
    ("glagent-", 16),
    ("glc_", 20),
    ("glcbt-", 16),
    ("gldt-", 16),
    ("glffct-", 16),
    ("glft-", 16),
    ("glimt-", 16),
    ("gloas-", 16),
    ("glpat-", 16),
    ("glptt-", 16),
    ("glrt-", 16),
    ("glsa_", 16),
    ("glsoat-", 16),
    ("gsk_", 20),
    ("hf_", 20),
    ("hvb.", 16),
    ("hvs.", 16),
    ("lin_api_", 20),
    ("nfp_", 20),
    ("npm_", 24),
    ("ntn_", 20),
    ("nvapi-", 20),
    ("ops_eyJ", 20),
    ("p8e-", 20),
    ("pplx-", 20),
    ("pul-", 20),
    ("pypi-", 20),
    ("r8_", 20),
    ("rk_live_", 12),
    ("rk_prod_", 12),
    ("rk_test_", 12),
    ("rubygems_", 20),
    ("sb_secret_", 20),
    ("sbp_", 20),
    ("sgp_", 20),
    ("shpat_", 16),
    ("shpca_", 16),
    ("shppa_", 16),
    ("shpss_", 16),
    ("sk-ant-", 16),
    ("sk-proj-", 16),
    ("sk_live_", 12),
    ("sk_prod_", 12),
    ("sk_test_", 12),
    ("sntrys_", 20),
    ("sntryu_", 20),
    ("tskey-", 16),
    ("whsec_", 16),
    ("xai-", 20),
    ("xapp-", 15),
    ("xoxa-", 15),
    ("xoxb-", 15),
    ("xoxe", 15),
    ("xoxp-", 15),
    ("xoxr-", 15),
    ("xoxs-", 15),
    ("ya29.", 20),
];

/// The name and password in an address.
const USER: &str = r#"(?i-u)([a-z][a-z0-9+.-]*://)[^\s/?#"'<>]+(@)"#;

/// Shortest word that is tested for randomness.
const LONG: usize = 24;

/// Returns `text` without words that look like secrets.
pub fn redact_tokens(text: &str) -> String {
    let text = without_private_keys(text);
    let text =
        if text.contains("://") && text.contains('@') { redact_matches(user_pattern(), &text) } else { text };
    let text = redact_marked(text);
    let mut kept = String::with_capacity(text.len());
    for piece in text.split_inclusive(|c: char| !is_of_word(c)) {
        let word = piece.trim_end_matches(|c: char| !is_of_word(c));
        kept.push_str(&without_token(word));
        kept.push_str(piece.get(word.len()..).unwrap_or_default());
    }
    kept
}

pub(super) fn compile_pattern() {
    user_pattern();
}

fn user_pattern() -> Option<&'static Regex> {
    static COMPILED: OnceLock<Option<Regex>> = OnceLock::new();
    compile_once(&COMPILED, || USER.to_owned())
}

/// Redacts private keys, from the line that begins one to the line that ends it, or to the end of the text.
fn without_private_keys(text: &str) -> Cow<'_, str> {
    const BEGINS: &str = "PRIVATE KEY-----";
    const ENDS: &str = "-----END";
    let Some((before, after)) = text.split_once(BEGINS) else { return Cow::Borrowed(text) };
    let rest = after.find(ENDS).and_then(|end| after.get(end..)).unwrap_or_default();
    // The end marker contains PRIVATE KEY, too.
    let (end, rest) = rest.split_once(BEGINS).unwrap_or((rest, ""));
    let end = if end.is_empty() { String::new() } else { format!("{end}{BEGINS}") };
    Cow::Owned(format!("{before}{BEGINS}{REDACTED}{end}{}", without_private_keys(rest)))
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-+/.~".contains(c)
}

/// Redacts the parts of a word, which may be a path, that look like a secret, or all of it.
fn without_token(word: &str) -> Cow<'_, str> {
    // No token of the table is shorter.
    if word.len() < 12 {
        return Cow::Borrowed(word);
    }
    // The head of a JSON Web Token is a JSON object, whose Base64 begins like this.
    let is_web_token = word.starts_with("eyJ") && word.len() >= LONG && word.contains('.');
    if is_web_token || is_random_with_slashes(word) {
        return Cow::Borrowed(REDACTED);
    }
    let parts: Vec<_> = word.split('/').map(without_token_in_part).collect();
    Cow::Owned(parts.join("/"))
}

fn without_token_in_part(part: &str) -> Cow<'_, str> {
    let first = part.as_bytes().first();
    // The first byte excludes most rows without a call.
    let is_known = |(beginning, least): &(&str, usize)| {
        beginning.as_bytes().first() == first && part.len() >= *least && part.starts_with(beginning)
    };
    if BEGINNINGS.iter().any(is_known) || is_key_of_sk(part) {
        return Cow::Borrowed(REDACTED);
    }
    if part.len() < LONG {
        return Cow::Borrowed(part);
    }
    let pieces: Vec<_> =
        part.split('.').map(|piece| if is_random(piece) { REDACTED } else { piece }).collect();
    Cow::Owned(pieces.join("."))
}

/// Returns true for `sk-` followed by letters with digits: natural words have no digits.
fn is_key_of_sk(part: &str) -> bool {
    let key = part.strip_prefix("sk-").unwrap_or_default();
    key.len() >= 17 && key.bytes().any(|byte| byte.is_ascii_digit())
}

/// Counts of character kinds in a word.
#[derive(Default)]
struct Kinds {
    upper: usize,
    lower: usize,
    digits: usize,
    hex: usize,
}

impl Kinds {
    fn from_word(word: &str) -> Self {
        let mut kinds = Self::default();
        for byte in word.bytes() {
            kinds.upper += usize::from(byte.is_ascii_uppercase());
            kinds.lower += usize::from(byte.is_ascii_lowercase());
            kinds.digits += usize::from(byte.is_ascii_digit());
            kinds.hex += usize::from(byte.is_ascii_hexdigit());
        }
        kinds
    }

    fn are_mixed(&self) -> bool {
        self.upper >= 3 && self.lower >= 3 && self.digits >= 2
    }
}

/// Returns true if the word is so long and mixed that it must be random, as digests are.
fn is_random(word: &str) -> bool {
    let kinds = Kinds::from_word(word);
    // Names of words with hyphens between them are long and mixed, but their words are short.
    let longest = word.split(['-', '_']).map(str::len).max().unwrap_or_default();
    if word.len() < LONG || longest < 16 {
        return false;
    }
    let letters = kinds.upper + kinds.lower;
    let is_one_word = longest == word.len();
    let is_digest = kinds.hex == word.len() && word.len() >= 32 && kinds.digits >= 4 && letters >= 4;
    let is_of_one_case = is_one_word && word.len() >= 32 && kinds.digits >= 5 && letters >= 5;
    let surprise = compute_entropy(word);
    is_digest || (kinds.are_mixed() && surprise >= 3.6) || (is_of_one_case && surprise >= 3.5)
}

/// Returns true for random Base64 with slashes. Paths have slashes, too, but also dots or dashes, or begin differently.
fn is_random_with_slashes(word: &str) -> bool {
    let Kinds { upper, lower, digits, .. } = Kinds::from_word(word);
    word.len() >= 40
        && !word.starts_with(['/', '.', '~'])
        && !word.contains(['.', '-', '_', '~'])
        && upper >= 3
        && lower >= 3
        && digits >= 1
        && compute_entropy(word) >= 4.2
}

/// Returns the Shannon entropy of the word's bytes, in bits per byte.
fn compute_entropy(word: &str) -> f64 {
    let mut counts: HashMap<u8, u32> = HashMap::new();
    word.bytes().for_each(|byte| *counts.entry(byte).or_default() += 1);
    let all = f64::from(u32::try_from(word.len()).unwrap_or(u32::MAX));
    counts.values().map(|count| f64::from(*count) / all).map(|share| -share * share.log2()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns invented tokens in each service's form, assembled here so that no scanner takes them for leaked ones.
    fn of_services() -> Vec<String> {
        let letters = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0";
        let known = BEGINNINGS
            .map(|(beginning, least)| format!("{beginning}{}", &letters[..least - beginning.len()]));
        let others = [
            format!("AKIA{}", "IOSFODNN7EXAMPLE"),
            format!("sk-{letters}"),
            format!("SG.{}.{}", &letters[..22], &letters[..30]),
            format!("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.{}", &letters[..30]),
            format!("{}{}", "wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"),
            "9f86d081884c7d659a2feaa0c55ad015".to_owned(),
        ];
        known.into_iter().chain(others).collect()
    }

    #[test]
    fn tokens_of_known_services_are_taken_out_wherever_they_stand() {
        for token in of_services() {
            for (before, after) in
                [("", ""), ("use ", " now"), ("'", "'"), ("K=", ";"), ("\"", "\","), ("(", ")")]
            {
                let kept = redact_tokens(&format!("{before}{token}{after}"));
                assert_eq!(kept, format!("{before}[redacted]{after}"), "{token}");
            }
        }
    }

    #[test]
    fn what_options_headers_and_addresses_carry_is_taken_out() {
        for (text, expected) in [
            ("mysql --password hunter2 db", "mysql --password [redacted] db"),
            ("curl -u me:hunter2 https://h", "curl -u me:[redacted] https://h"),
            ("curl --user 'me:hunter2' x", "curl --user 'me:[redacted]' x"),
            ("x -H 'X: Bearer abc.def-1'", "x -H 'X: Bearer [redacted]'"),
            ("Basic dXNlcjpodW50ZXIy", "Basic [redacted]"),
            ("git clone https://me:hunter2@host/repo", "git clone https://[redacted]@host/repo"),
            ("postgres://app:p@ss@db:5432/x", "postgres://[redacted]@db:5432/x"),
            ("gh --api-key \"a b\" run", "gh --api-key [redacted] run"),
            ("mysql -u root -phunter2 db", "mysql -u root -p[redacted] db"),
            ("mysqldump -p'hunter 2' db", "mysqldump -p[redacted] db"),
            ("curl -H 'Authorization: token abcd' x", "curl -H 'Authorization: token [redacted]' x"),
            ("curl -H 'authorization: abcd1234' x", "curl -H 'authorization: [redacted]' x"),
            ("curl -H \"X-Api-Key: abcd\" x", "curl -H \"X-Api-Key: [redacted]\" x"),
            ("curl https://h/?a=b&key=hunter2&c=d", "curl https://h/?a=b&key=[redacted]&c=d"),
            ("openssl rsa -passin pass:hunter2 -in k", "openssl rsa -passin pass:[redacted] -in k"),
            ("DB_PASS=hunter2 ./run", "DB_PASS=[redacted] ./run"),
            ("docker run -e PGPASSWORD='hunter 2' x", "docker run -e PGPASSWORD=[redacted] x"),
        ] {
            assert_eq!(redact_tokens(text), expected);
        }
    }

    #[test]
    fn a_private_key_is_redacted_up_to_its_end_or_the_end_of_the_text() {
        let key = "x -----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\nNza\n-----END OPENSSH PRIVATE KEY----- y";
        let kept = "x -----BEGIN OPENSSH PRIVATE KEY-----[redacted]-----END OPENSSH PRIVATE KEY----- y";
        assert_eq!(redact_tokens(key), kept);
        assert_eq!(
            redact_tokens("-----BEGIN PRIVATE KEY-----\nb3Blbn"),
            "-----BEGIN PRIVATE KEY-----[redacted]"
        );
    }

    #[test]
    fn words_and_paths_stay() {
        for text in [
            "rm -rf /home/me/Projects/Thing2/node_modules",
            "src/components/UserProfile2/index.test.tsx",
            "cargo nextest run --workspace --features compiler",
            "getUserByIdFromDatabase and a-long-name-with-many-parts-in-it",
            "123e4567-e89b-12d3-a456-426614174000",
            "https://example.org/a/b?c=d#e",
            "sk-learn, basic usage, the bearer of news, user@host.example",
            "ünïcode ünd Wörter",
            "mkdir -p a && cp -p b c; mysql db",
            "DB_PASS=$OTHER ./run; bypass: yes; the token: is",
            "monkey=1 keyboard=2 compass=3 ?page=2&sort=key",
        ] {
            assert_eq!(redact_tokens(text), text);
        }
    }
}
