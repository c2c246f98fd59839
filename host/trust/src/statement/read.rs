//! Parsing of statements. An unknown member could be relevant to a later hookbox, so it is refused; so is every other spelling than that
//! of [`super::Release::to_statement`].

use hookbox_model::{Effect, Effects, PluginName, Version};
use hookbox_port::digest::Sha256Digest;
use serde_json::Value;

use super::{MAX_STATEMENT_BYTES, PREDICATE, Release, STATEMENT, Source};
use crate::members::{Object, Read, of_bytes};

pub(super) fn parse_statement(bytes: &[u8]) -> Read<Release> {
    let value = of_bytes(bytes, MAX_STATEMENT_BYTES)?;
    let top = Object::from_value("", &value)?;
    top.check_keys(&["_type", "subject", "predicateType", "predicate"])?;
    top.require_text("_type", STATEMENT)?;
    top.require_text("predicateType", PREDICATE)?;
    let (name, component) = read_subject(&top)?;
    let predicate = top.read_object("predicate")?;
    read_release(name, component, &predicate)
}

fn read_subject(top: &Object<'_>) -> Read<(PluginName, Sha256Digest)> {
    let subjects = top.require_member("subject")?.as_array().ok_or("has a `subject` that is not a list")?;
    // With several files it would be unclear to which one the predicate applies.
    let [subject] = subjects.as_slice() else {
        return Err(format!("has {} subjects, and one is to be there", subjects.len()));
    };
    let subject = Object::from_value("subject", subject)?;
    subject.check_keys(&["name", "digest"])?;
    let name = PluginName::parse(subject.read_text("name")?);
    let name = name.ok_or_else(|| subject.reject_member("name", "that is not a plugin name"))?;
    let digest = subject.read_object("digest")?;
    digest.check_keys(&["sha256"])?;
    Ok((name, digest.read_sha256("sha256")?))
}

fn read_release(name: PluginName, component: Sha256Digest, predicate: &Object<'_>) -> Read<Release> {
    predicate.check_keys(&[
        "version",
        "seq",
        "channel",
        "issued",
        "expires",
        "world",
        "capabilities",
        "effects",
        "manifest_sha256",
        "source",
    ])?;
    let version = Version::parse(predicate.read_text("version")?);
    let seq = predicate.find_member("seq").and_then(Value::as_u64);
    Ok(Release {
        name,
        component,
        manifest: predicate.read_sha256("manifest_sha256")?,
        version: version.map_err(|_| predicate.reject_member("version", "that is not a version"))?,
        seq: seq.ok_or_else(|| predicate.describe_missing("seq", "is no number"))?,
        channel: predicate.read_text("channel")?.to_owned(),
        issued: predicate.read_time("issued")?,
        expires: predicate.find_member("expires").map(|_| predicate.read_time("expires")).transpose()?,
        world: predicate.optional_text("world")?,
        capabilities: predicate.read_texts("capabilities")?.into_iter().map(str::to_owned).collect(),
        effects: read_effects(predicate)?,
        source: predicate
            .find_member("source")
            .map(|_| read_source(&predicate.read_object("source")?))
            .transpose()?,
    })
}

fn read_effects(predicate: &Object<'_>) -> Read<Effects> {
    let words = predicate.read_texts("effects")?;
    let mut effects = Vec::new();
    for word in &words {
        let effect = Effect::named(word);
        effects.push(effect.ok_or_else(|| {
            predicate.reject_member("effects", &format!("with `{word}`, which is not one"))
        })?);
    }
    let effects = Effects::from_slice(&effects);
    // A statement has one spelling, so that equal releases have equal bytes to sign.
    if super::list_effect_names(effects) != words {
        return Err(predicate.reject_member("effects", "that names one twice, or not in order"));
    }
    Ok(effects)
}

fn read_source(source: &Object<'_>) -> Read<Source> {
    source.check_keys(&["repo", "rev"])?;
    Ok(Source { repo: source.read_text("repo")?.to_owned(), rev: source.optional_text("rev")? })
}
