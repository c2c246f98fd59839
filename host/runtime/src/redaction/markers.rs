//! Redacts secrets after a marker: an option, a header, a variable, or a word of a command.

use std::{borrow::Cow, sync::OnceLock};

use regex::bytes::Regex;

use super::{VALUE, compile_once, redact_matches};

/// Most secrets behind one marker.
const MOST_SECRETS: usize = 4;

/// A secret after a marker.
struct Named {
    /// Lower-case words: the pattern can match only if one word of each list is present. This search is far cheaper
    /// than compiling a pattern, which a process that lives for one event should avoid.
    needs: &'static [&'static [&'static str]],
    /// Pattern of the marker, which is kept.
    marker: &'static str,
    /// Pattern of the secret. A group at its end is kept, too.
    value: &'static str,
}

impl Named {
    /// Returns true if the pattern may match this text, which is in lower case and has these pairs.
    fn may_match(&self, text: &str, pairs: &Pairs) -> bool {
        self.needs.iter().all(|any| any.iter().any(|need| pairs.may_contain(need) && text.contains(need)))
    }

    fn pattern(&self) -> String {
        format!("(?i-u)({})(?:{})", self.marker, self.value)
    }
}

/// The pairs of neighbouring bytes in a text, by their lower six bits. A search for each of some hundred words costs more than this look at
/// the text, which excludes most of them.
struct Pairs([u64; 64]);

impl Pairs {
    fn from_text(text: &str) -> Self {
        let mut rows = [0; 64];
        for (first, second) in text.bytes().zip(text.bytes().skip(1)) {
            if let Some(row) = rows.get_mut(usize::from(first & 63)) {
                *row |= 1 << (second & 63);
            }
        }
        Self(rows)
    }

    /// Returns false if the text does not contain this word; true for a word of one byte.
    fn may_contain(&self, word: &str) -> bool {
        let mut pairs = word.bytes().zip(word.bytes().skip(1));
        pairs.all(|(first, second)| {
            self.0.get(usize::from(first & 63)).is_some_and(|row| row >> (second & 63) & 1 == 1)
        })
    }
}

const NAMED: [Named; 26] = [
    // `--password VALUE`, `-storepass VALUE`
    Named {
        needs: &[&["-"], &["token", "secret", "pass", "pw", "credential", "key", "otp"]],
        marker: r"(?:^|\s)--?(?:[\w-]*(?:token|secret|passw(?:or)?d|passphrase|passcode|credentials?|(?:api|private|secret|access|auth)[_-]?key)|(?:[\w-]*-)?(?:pass|pwd?|otp)|(?:store|key)pass)[\s=]\s*",
        value: VALUE,
    },
    // `-u NAME:VALUE`; a user and a group are mostly numbers or references
    Named {
        needs: &[&["-u", "-a"], &[":"]],
        marker: r#"(?:(?:^|\s)(?:-u|--user|--proxy-user|--auth)[\s=]\s*|\bcurl\b[^\n|;&]*?\s-u|\b(?:https?|xh)\b[^\n|;&]*?\s-a\s*)["']?[^\s:"'/]*(?-i:[a-z])[^\s:"'/]*:"#,
        value: VALUE,
    },
    Named { needs: &[&["bearer"]], marker: r"\bbearer\s+", value: r"[\w.~+/=-]{6,}" },
    // Base64, not an English word
    Named { needs: &[&["basic"]], marker: r"\bbasic\s+", value: r"[\w+/]{7,}(?-i:[A-Z0-9=])[\w+/=]*" },
    // `Authorization: token VALUE`, `X-Api-Key: VALUE`
    Named {
        needs: &[&["authorization:", "token:", "api-key:", "apikey:", "secret:", "cookie:"]],
        marker: r"\b(?:authorization|(?:x-)?[\w-]*(?:token|api-?key|secret)|(?:set-)?cookie):\s*(?:[\w-]+\s+)?",
        value: r#"[^\s"',;:$.{\[(][^\s"',;]{3,}"#,
    },
    // `DB_PASS=VALUE`
    Named {
        needs: &[&[
            "pass=",
            "passwd=",
            "password=",
            "passphrase=",
            "passcode=",
            "pwd=",
            "secret=",
            "token=",
            "key=",
            "auth=",
            "_pat=",
            "otp=",
        ]],
        marker: r"\b(?:\w*(?:passwd|password|passphrase|passcode|secret|token|(?:api|access|private|account|auth)_?key|_otp|(?-i:SSHPASS|_KEY|_PAT))|(?:\w*_)?pass|\w*_pwd|(?-i:(?:[A-Z]+_)?AUTH|[Pp]wd))=",
        value: VALUE,
    },
    // `DB_PASS: VALUE`, `"pwd": VALUE`, `SIGNING_KEY: VALUE`
    Named {
        needs: &[&["pass", "pwd", "key", "pin", "otp"], &[":"]],
        marker: r#"(?:\b(?:\w+_pass(?:wd)?|\w+_pwd|(?-i:[A-Z]+_KEY))|["'](?:\w*_)?(?:pass(?:code|wd)?|pwd|pin|otp)["'])\s*:\s*"#,
        value: VALUE,
    },
    // `?key=VALUE` in an address
    Named {
        needs: &[&["key=", "sig=", "signature=", "auth=", "code=", "pw=", "sid=", "jwt="]],
        marker: r"[?&](?:key|sig|(?:x-amz-)?signature|auth|code|pw|sid|jwt)=",
        value: VALUE,
    },
    // OpenSSL's notation for the source of a passphrase
    Named { needs: &[&["pass:"]], marker: r"(?-i:\bpass:)", value: r#"[^\s"',;$]+"# },
    // Programs that take a password directly after the letter
    Named {
        needs: &[&["mysql", "mariadb", "7z", "rar"], &["-p"]],
        marker: r"\b(?:(?:mysql|mariadb)[\w-]*|7z[ar]?|(?:un)?rar)\b[^\n|;&]*?\s(?-i:-p)",
        value: VALUE,
    },
    // Programs with a letter for a password
    Named {
        needs: &[&["login", "twine", "mongo", "sshpass", "steghide", "useradd", "usermod"], &["-p"]],
        marker: r"\b(?:(?:login|twine\s+upload|mongo\w*|steghide|user(?:add|mod))\b[^\n|;&]*?\s(?-i:-p)\s+|sshpass\s+(?:-\w+\s+)*?(?-i:-p)\s*)",
        value: VALUE,
    },
    Named {
        needs: &[&["zip", "sqlcmd", "bcp", "osql"], &["-p"]],
        marker: r"\b(?:(?:un)?zip|sqlcmd|bcp|osql)\b[^\n|;&]*?\s(?-i:-P)\s*",
        value: VALUE,
    },
    Named {
        needs: &[&["redis-cli", "ldap", "openssl", "snmp", "security"], &["-"]],
        marker: r"\b(?:redis-cli\b[^\n|;&]*?\s-a|(?:ldap\w+|security\s+\w+-password)\b[^\n|;&]*?\s(?-i:-w)|openssl\s[^\n|;&]*?\s-k|snmp\w+\s[^\n|;&]*?\s(?-i:-[AX]))\s+",
        value: VALUE,
    },
    // `smbclient -U NAME%VALUE`
    Named { needs: &[&["-u"], &["%"]], marker: r#"\s(?-i:-U)\s*["']?[\w.\\/-]+%"#, value: r#"[^\s"'$]+"# },
    // `sqlplus NAME/VALUE@HOST`
    Named {
        needs: &[&["sqlplus"]],
        marker: r#"\bsqlplus\s+(?:-\w+\s+)*["']?[\w.]+/"#,
        value: r#"[^\s"'@$/]+"#,
    },
    // Programs with a password among their words
    Named {
        needs: &[&["add_user", "change_password", "net", "vault", "wpa_passphrase", "htpasswd"]],
        marker: r"\b(?:(?:rabbitmqctl\s+(?:add_user|change_password)|net\s+user|wpa_passphrase)\s+[^\s|;&]+|vault\s+login|htpasswd\s+-\w*b\w*(?:\s+[^\s|;&]+){1,2})\s+",
        value: VALUE,
    },
    // `machine HOST login NAME password VALUE`, `aws configure set aws_secret_access_key VALUE`
    Named {
        needs: &[&["login", "nmcli", "mysqladmin", "set"], &["password", "token", "secret", "key", "psk"]],
        marker: r"\b(?:login|nmcli|mysqladmin|(?:config|configure)\s+set|set\s+-\w+|setx)\s[^\n|;&]*?\b[\w:/.-]*(?:password|token|secret|_key|psk)[ \t]+",
        value: VALUE,
    },
    // `kubectl create secret generic NAME --from-literal=NAME=VALUE`, `fly secrets set NAME=VALUE`
    Named {
        needs: &[&["secret"], &["--from-literal", "set"]],
        marker: r#"\bsecrets?\s(?:[^\n|;&]*?--from-literal[\s=]+["']?[\w.-]+=|set\s[^\n|;&]*?(?:\b\w+=|\s(?:-b|--body)[\s=]+))"#,
        value: VALUE,
    },
    // `echo VALUE | sudo -S`
    Named {
        needs: &[&["echo", "printf"], &["sudo", "passwd", "-stdin", "--with-token", "gpg", "cryptsetup"]],
        marker: r#"\b(?:echo|printf)\s+(?:-[en]+\s+|["']?%s(?:\\n)?["']?\s+)*"#,
        value: r#"(?:"[^"$\n][^"\n]*"|'[^'\n]+'|[^\s"'|;&$<(]+)(\s*\|\s*(?:sudo\s+-\w*S|(?:sudo\s+)?(?:ch)?passwd|[^\n|;&]*(?:-stdin\b|--with-token|--passphrase-fd)|cryptsetup\b))"#,
    },
    Named {
        needs: &[&["<<<"], &["-stdin", "--with-token", "passwd", "sudo", "--unlock"]],
        marker: r"(?:-stdin|--with-token|--unlock|(?:ch)?passwd|\bsudo\s[^\n|;&]*)\s*<<<\s*",
        value: VALUE,
    },
    // SQL
    Named {
        needs: &[&["identified", "password"], &["'", "\""]],
        marker: r"\b(?:identified\s+(?:with\s+\S+\s+)?by|(?:encrypted\s+)?password)\s+\\?",
        value: r#"'[^'\n]+'|"[^"$\n][^"\n]*""#,
    },
    // XML
    Named {
        needs: &[&["password>", "passwd>", "secret>", "token>", "key>", "passphrase>"]],
        marker: r"<[\w:.-]*(?:password|passwd|passphrase|secret|token|api-?key|private-?key)>\s*",
        value: r"[^<\s$][^<\n]*(</)",
    },
    // `auth=("NAME", "VALUE")`
    Named {
        needs: &[&["auth"], &["("]],
        marker: r#"\b(?:auth\s*=\s*\(|httpbasicauth\()\s*(?:"[^"\n]*"|'[^'\n]*')\s*,\s*"#,
        value: VALUE,
    },
    Named {
        needs: &[&["securestring"]],
        marker: r"\bconvertto-securestring\s+(?:-string\s+)?",
        value: VALUE,
    },
    // `curl -b NAME=VALUE`
    Named {
        needs: &[&["curl"], &["-b", "--cookie"]],
        marker: r#"\bcurl\b[^\n|;&]*?\s(?:(?-i:-b)|--cookie)[\s=]*["']?[^\s"'=]+="#,
        value: r#"[^\s"'$][^\s"']*"#,
    },
    // An address that is a secret
    Named {
        needs: &[&["hooks.slack.com/", "/api/webhooks/", "api.telegram.org/bot"]],
        marker: r"hooks\.slack\.com/\w+/|/api/webhooks/|api\.telegram\.org/bot",
        value: r"[\w:-]+(?:/[\w-]+)*",
    },
];

/// Compiled patterns of [`NAMED`], compiled when first needed.
static COMPILED: [OnceLock<Option<Regex>>; NAMED.len()] = [const { OnceLock::new() }; NAMED.len()];

/// Returns `text` without secrets after a marker.
pub(super) fn redact_marked(text: Cow<'_, str>) -> Cow<'_, str> {
    let small = text.to_ascii_lowercase();
    let pairs = Pairs::from_text(&small);
    let there = NAMED.iter().zip(&COMPILED).filter(|(named, _)| named.may_match(&small, &pairs));
    there.fold(text, |text, (named, place)| {
        let pattern = compile_once(place, || named.pattern());
        // A marker at the beginning of a command may have several secrets behind it.
        (0..MOST_SECRETS).fold(text, |text, _| match redact_matches(pattern, &text) {
            Cow::Owned(changed) => Cow::Owned(changed),
            Cow::Borrowed(_) => text,
        })
    })
}

pub(super) fn compile_patterns() {
    for (named, place) in NAMED.iter().zip(&COMPILED) {
        compile_once(place, || named.pattern());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_a_pattern_needs_is_in_whatever_it_matches(pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12)) {
            let text = pieces.concat();
            let small = text.to_ascii_lowercase();
            let pairs = Pairs::from_text(&small);
            for (named, place) in NAMED.iter().zip(&COMPILED) {
                let matches = compile_once(place, || named.pattern()).unwrap().is_match(text.as_bytes());
                prop_assert!(!matches || named.may_match(&small, &pairs), "{}: {text}", named.marker);
            }
        }
    }

    const PIECES: [&str; 64] = [
        "--",
        "-u",
        "--USER",
        "--proxy-user",
        " ",
        "\n",
        ":",
        "=",
        "?",
        "&",
        "'",
        "\"",
        "_",
        "-",
        "x",
        "-p",
        "Password",
        "pass",
        "passwd",
        "TOKEN",
        "secret",
        "api_key",
        "Api-Key",
        "apikey",
        "private_key",
        "credentials",
        "authorization",
        "Bearer ",
        "basic ",
        "abcdefghijklmn",
        "sig",
        "auth",
        "code",
        "mysql",
        "mariadb",
        "pwd",
        "-P",
        "-a",
        "-A",
        "-k",
        "-U",
        "-w",
        "%",
        "/",
        "<",
        ">",
        "<<<",
        "|",
        "(",
        ",",
        "echo",
        "sudo -S",
        "-stdin",
        "--with-token",
        "login",
        "sshpass",
        "zip",
        "redis-cli",
        "snmpget",
        "net user",
        "htpasswd -b",
        "config set",
        "secret set",
        "identified by",
    ];
}
