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
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let drawn = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33;
        usize::try_from(drawn).unwrap() % end
    }

    pub(crate) fn of<'a, T: ?Sized>(&mut self, choice: &[&'a T]) -> &'a T {
        choice[self.below(choice.len())]
    }
}

/// Changes bytes at random.
fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(bytes.len().max(1));
    match dice.below(5) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << dice.below(8),
        1 if !bytes.is_empty() => drop(bytes.remove(at)),
        2 => bytes.truncate(at),
        3 => bytes.push(u8::try_from(dice.below(256)).unwrap()),
        _ => bytes.insert(at, *dice.of(&[&b'\n', &b' ', &b'=', &b'-', &0, &b'\r', &b'A'])),
    }
}

pub(crate) fn statement(question: &mut Question, dice: &mut Dice) {
    damage(&mut question.statement, dice);
}

pub(crate) fn armor(question: &mut Question, dice: &mut Dice) {
    let text = String::from_utf8(question.signature.clone()).unwrap();
    question.signature = match dice.below(10) {
        0 => format!("{text}{text}"),
        1 => format!("first\n{text}"),
        2 => format!("{text}then\n"),
        3 => text.replace('\n', "\r\n"),
        4 => text.replace("SSH SIGNATURE", dice.of(&["SSH SIGNATUR", "PGP SIGNATURE", "ssh signature"])),
        5 => text.trim_end().to_owned(),
        6 => text.replacen('\n', "\n ", dice.below(4)),
        7 => format!("{text}\n"),
        8 => text.replace('=', ""),
        _ => {
            damage(&mut question.signature, dice);
            return;
        }
    }
    .into_bytes();
}

/// Returns the bytes within the armor.
fn inside(question: &Question) -> Vec<u8> {
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

pub(crate) fn envelope(question: &mut Question, dice: &mut Dice) {
    let mut bytes = inside(question);
    damage(&mut bytes, dice);
    put_inside(question, &bytes);
}

/// Returns the parts of an envelope after its version: key, namespace, reserved, hash, signature.
fn parts(bytes: &[u8]) -> Vec<Vec<u8>> {
    let (mut rest, mut parts) = (&bytes[10..], Vec::new());
    while let Some((length, after)) = rest.split_first_chunk() {
        let (part, after) = after.split_at(u32::from_be_bytes(*length) as usize);
        parts.push(part.to_vec());
        rest = after;
    }
    parts
}

pub(crate) fn fields(question: &mut Question, dice: &mut Dice) {
    let bytes = inside(question);
    let mut parts = parts(&bytes);
    let mut version = 1;
    match dice.below(6) {
        0 => version = u32::try_from(dice.below(4)).unwrap(),
        1 => {
            let other = ["git", "file", "", "release@hookbox\0", "Release@hookbox"];
            parts[1] = dice.of(&other).as_bytes().to_vec();
        }
        2 => parts[2] = dice.of(&["x", "\0", "reserved"]).as_bytes().to_vec(),
        3 => parts[3] = dice.of(&["sha256", "sha1", "SHA512", "", "md5"]).as_bytes().to_vec(),
        4 => damage(&mut parts[0], dice),
        _ => damage(&mut parts[4], dice),
    }
    let parts: Vec<_> = parts.iter().map(Vec::as_slice).collect();
    let bytes = [&b"SSHSIG"[..], &version.to_be_bytes(), &super::device::strings(&parts)].concat();
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

pub(crate) fn principal(question: &mut Question, dice: &mut Dice) {
    let list = dice.of(&LISTS);
    question.signers = question.signers.replacen("release@acme.example", list, 1);
    dice.of(&PEOPLE).clone_into(&mut question.principal);
}

fn moment(dice: &mut Dice) -> String {
    let days = ["20260530", "20260531", "20260601", "20260602"];
    let times = ["", "0000", "1200", "120000", "115959", "120001", "235959", "2359", "2400", "1261"];
    let zone = ["Z", "", "Z", ""];
    format!("{}{}{}", dice.of(&days), dice.of(&times), dice.of(&zone))
}

pub(crate) fn time(question: &mut Question, dice: &mut Dice) {
    validity(question, dice);
    let days = ["20260530", "20260531", "20260601", "20260602", "20260603"];
    let times = ["000000", "010000", "100000", "115959", "120000", "120001", "140000", "235959"];
    question.time = format!("{}{}Z", dice.of(&days), dice.of(&times));
}

pub(crate) fn validity(question: &mut Question, dice: &mut Dice) {
    let after = format!("valid-after=\"{}\"", moment(dice));
    let before = format!("valid-before=\"{}\"", moment(dice));
    let options = match dice.below(3) {
        0 => after,
        1 => before,
        _ => format!("{after},{before}"),
    };
    question.signers = question.signers.replacen("namespaces=\"release@hookbox\"", &options, 1);
    question.place = dice.of(&["UTC", "A-14", "B+12", "C+5"]);
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

pub(crate) fn options(question: &mut Question, dice: &mut Dice) {
    question.signers = question.signers.replacen("namespaces=\"release@hookbox\"", dice.of(&OPTIONS), 1);
}

pub(crate) fn signers(question: &mut Question, dice: &mut Dice) {
    let mut bytes = question.signers.clone().into_bytes();
    damage(&mut bytes, dice);
    // Neither takes a line with half a character.
    question.signers = String::from_utf8_lossy(&bytes).into_owned();
}

pub(crate) fn krl(question: &mut Question, dice: &mut Dice) {
    let krl = question.krl.get_or_insert_with(|| [&b"SSHKRL\n\0\0\0\0\x01"[..], &[0; 32]].concat());
    damage(krl, dice);
}
