//! Questions that differ from good ones in one part, with equal random numbers in every run.

use base64ct::{Base64, Encoding as _};

use super::openssh::Question;

/// A random number generator that need not be unpredictable: xorshift64*.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// Returns a number below this one.
    pub(crate) fn draw_below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(drawn).unwrap() % end
    }

    pub(crate) fn choose_from<'a, T: ?Sized>(&mut self, choice: &[&'a T]) -> &'a T {
        choice[self.draw_below(choice.len())]
    }
}

/// Changes bytes at random.
fn damage_bytes(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.draw_below(bytes.len().max(1));
    match dice.draw_below(5) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.draw_below(8),
        1 if !bytes.is_empty() => drop(bytes.remove(at)),
        2 => bytes.truncate(at),
        3 => bytes.push(u8::try_from(dice.draw_below(256)).unwrap()),
        _ => bytes.insert(at, *dice.choose_from(&[&b'\n', &b' ', &b'=', &b'-', &0, &b'\r', &b'A'])),
    }
}

pub(crate) fn mutate_statement(question: &mut Question, dice: &mut Dice) {
    damage_bytes(&mut question.statement, dice);
}

pub(crate) fn mutate_armor(question: &mut Question, dice: &mut Dice) {
    let text = String::from_utf8(question.signature.clone()).unwrap();
    question.signature = match dice.draw_below(10) {
        0 => format!("{text}{text}"),
        1 => format!("first\n{text}"),
        2 => format!("{text}then\n"),
        3 => text.replace('\n', "\r\n"),
        4 => text
            .replace("SSH SIGNATURE", dice.choose_from(&["SSH SIGNATUR", "PGP SIGNATURE", "ssh signature"])),
        5 => text.trim_end().to_owned(),
        6 => text.replacen('\n', "\n ", dice.draw_below(4)),
        7 => format!("{text}\n"),
        8 => text.replace('=', ""),
        _ => {
            damage_bytes(&mut question.signature, dice);
            return;
        }
    }
    .into_bytes();
}

/// Returns the bytes within the armor.
fn decode_armor(question: &Question) -> Vec<u8> {
    let text = String::from_utf8(question.signature.clone()).unwrap();
    Base64::decode_vec(&text.lines().filter(|line| !line.starts_with('-')).collect::<String>()).unwrap()
}

fn put_inside(question: &mut Question, bytes: &[u8]) {
    let text = Base64::encode_string(bytes);
    let lines: Vec<_> = text.as_bytes().chunks(70).map(|line| str::from_utf8(line).unwrap()).collect();
    let body = lines.join("\n");
    question.signature =
        format!("-----BEGIN SSH SIGNATURE-----\n{body}\n-----END SSH SIGNATURE-----\n").into_bytes();
}

pub(crate) fn mutate_envelope(question: &mut Question, dice: &mut Dice) {
    let mut bytes = decode_armor(question);
    damage_bytes(&mut bytes, dice);
    put_inside(question, &bytes);
}

/// Returns the parts of an envelope after its version: key, namespace, reserved, hash, signature.
fn split_envelope(bytes: &[u8]) -> Vec<Vec<u8>> {
    let (mut rest, mut parts) = (&bytes[10..], Vec::new());
    while let Some((length, after)) = rest.split_first_chunk() {
        let (part, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        parts.push(part.to_vec());
        rest = after;
    }
    parts
}

pub(crate) fn mutate_fields(question: &mut Question, dice: &mut Dice) {
    let bytes = decode_armor(question);
    let mut parts = split_envelope(&bytes);
    let mut version = 1;
    match dice.draw_below(6) {
        0 => version = u32::try_from(dice.draw_below(4)).unwrap(),
        1 => {
            let other = ["git", "file", "", "release@hookbox\0", "Release@hookbox"];
            parts[1] = dice.choose_from(&other).as_bytes().to_vec();
        }
        2 => parts[2] = dice.choose_from(&["x", "\0", "reserved"]).as_bytes().to_vec(),
        3 => parts[3] = dice.choose_from(&["sha256", "sha1", "SHA512", "", "md5"]).as_bytes().to_vec(),
        4 => damage_bytes(&mut parts[0], dice),
        _ => damage_bytes(&mut parts[4], dice),
    }
    let parts: Vec<_> = parts.iter().map(Vec::as_slice).collect();
    let bytes = [&b"SSHSIG"[..], &version.to_be_bytes(), &super::device::encode_strings(&parts)].concat();
    put_inside(question, &bytes);
}

const PEOPLE: [&str; 8] = [
    "release@acme.example",
    "Release@acme.example",
    "release@acme.example.evil",
    "release@acme",
    "other@acme.example",
    "release",
    "*",
    "release@acme.example,other",
];

const LISTS: [&str; 12] = [
    "release@acme.example",
    "*@acme.example",
    "*@acme.example,!release@acme.example",
    "!release@acme.example,*",
    "!other@acme.example,*",
    "r?lease@acme.example",
    "other@acme.example,release@*",
    "*",
    "*e",
    "**acme**",
    "RELEASE@ACME.EXAMPLE",
    ",release@acme.example,",
];

pub(crate) fn mutate_principal(question: &mut Question, dice: &mut Dice) {
    let list = dice.choose_from(&LISTS);
    question.signers = question.signers.replacen("release@acme.example", list, 1);
    dice.choose_from(&PEOPLE).clone_into(&mut question.principal);
}

fn draw_moment(dice: &mut Dice) -> String {
    let days = ["20260530", "20260531", "20260601", "20260602"];
    let times = ["", "0000", "1200", "120000", "115959", "120001", "235959", "2359", "2400", "1261"];
    let zone = ["Z", "", "Z", ""];
    format!("{}{}{}", dice.choose_from(&days), dice.choose_from(&times), dice.choose_from(&zone))
}

pub(crate) fn mutate_time(question: &mut Question, dice: &mut Dice) {
    mutate_validity(question, dice);
    let days = ["20260530", "20260531", "20260601", "20260602", "20260603"];
    let times = ["000000", "010000", "100000", "115959", "120000", "120001", "140000", "235959"];
    question.time = format!("{}{}Z", dice.choose_from(&days), dice.choose_from(&times));
}

pub(crate) fn mutate_validity(question: &mut Question, dice: &mut Dice) {
    let after = format!("valid-after=\"{}\"", draw_moment(dice));
    let before = format!("valid-before=\"{}\"", draw_moment(dice));
    let options = match dice.draw_below(3) {
        0 => after,
        1 => before,
        _ => format!("{after},{before}"),
    };
    question.signers = question.signers.replacen("namespaces=\"release@hookbox\"", &options, 1);
    question.place = dice.choose_from(&["UTC", "A-14", "B+12", "C+5"]);
}

const OPTIONS: [&str; 16] = [
    "",
    "namespaces=\"git\"",
    "namespaces=\"*\"",
    "namespaces=\"git,release@hookbox\"",
    "namespaces=\"!release@hookbox,*\"",
    "namespaces=\"release@?ookbox\"",
    "NAMESPACES=\"release@hookbox\"",
    "namespaces=release@hookbox",
    "namespaces=\"\"",
    "namespaces=\"git\",namespaces=\"release@hookbox\"",
    "cert-authority",
    "cert-authority,namespaces=\"release@hookbox\"",
    "namespaces=\"release@hookbox\",",
    ",namespaces=\"release@hookbox\"",
    "no-touch-required",
    "namespaces=\"release@hookbox\" ",
];

pub(crate) fn mutate_options(question: &mut Question, dice: &mut Dice) {
    question.signers =
        question.signers.replacen("namespaces=\"release@hookbox\"", dice.choose_from(&OPTIONS), 1);
}

pub(crate) fn mutate_signers(question: &mut Question, dice: &mut Dice) {
    let mut bytes = question.signers.clone().into_bytes();
    damage_bytes(&mut bytes, dice);
    // Neither takes a line with half a character.
    question.signers = String::from_utf8_lossy(&bytes).into_owned();
}

pub(crate) fn mutate_krl(question: &mut Question, dice: &mut Dice) {
    let krl = question.krl.get_or_insert_with(|| [&b"SSHKRL\n\0\0\0\0\x01"[..], &[0; 32]].concat());
    damage_bytes(krl, dice);
}
