//! Parsing of statements. An unknown member could be relevant to a later hookbox, so it is refused; so is every other spelling than that
//! of [`super::Release::to_statement`].

use hookbox_model::{Effect, Effects, PluginName, Version};
use hookbox_port::digest::Sha256Digest;
use serde_json::Value;

use super::{MAX_STATEMENT_BYTES, PREDICATE, Release, STATEMENT, Source};
use crate::members::{Object, Read, of_bytes};

pub(super) fn statement(bytes: &[u8]) -> Read<Release> {
    let value = of_bytes(bytes, MAX_STATEMENT_BYTES)?;
    let top = Object::of("", &value)?;
    top.only(&["_type", "subject", "predicateType", "predicate"])?;
    top.exactly("_type", STATEMENT)?;
    top.exactly("predicateType", PREDICATE)?;
    let (name, component) = subject(&top)?;
    let predicate = top.object("predicate")?;
    release(name, component, &predicate)
}

fn subject(top: &Object<'_>) -> Read<(PluginName, Sha256Digest)> {
    let subjects = top.get("subject")?.as_array().ok_or("has a `subject` that is not a list")?;
    let [subject] = subjects.as_slice() else {
        return Err(format!("has {} subjects, and one is to be there", subjects.len()));
    };
    let subject = Object::of("subject", subject)?;
    subject.only(&["name", "digest"])?;
    let name = PluginName::parse(subject.text("name")?);
    let name = name.ok_or_else(|| subject.has("name", "that is not a plugin name"))?;
    let digest = subject.object("digest")?;
    digest.only(&["sha256"])?;
    Ok((name, digest.sha256("sha256")?))
}

fn release(name: PluginName, component: Sha256Digest, predicate: &Object<'_>) -> Read<Release> {
    predicate.only(&[
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
    let version = Version::parse(predicate.text("version")?);
    let seq = predicate.find("seq").and_then(Value::as_u64);
    Ok(Release {
        name,
        component,
        manifest: predicate.sha256("manifest_sha256")?,
        version: version.map_err(|_| predicate.has("version", "that is not a version"))?,
        seq: seq.ok_or_else(|| predicate.lacks("seq", "is no number"))?,
        channel: predicate.text("channel")?.to_owned(),
        issued: predicate.time("issued")?,
        expires: predicate.find("expires").map(|_| predicate.time("expires")).transpose()?,
        world: predicate.optional_text("world")?,
        capabilities: predicate.texts("capabilities")?.into_iter().map(str::to_owned).collect(),
        effects: effects(predicate)?,
        source: predicate.find("source").map(|_| source(&predicate.object("source")?)).transpose()?,
    })
}

fn effects(predicate: &Object<'_>) -> Read<Effects> {
    let words = predicate.texts("effects")?;
    let mut effects = Vec::new();
    for word in &words {
        let effect = Effect::named(word);
        effects.push(
            effect.ok_or_else(|| predicate.has("effects", &format!("with `{word}`, which is not one")))?,
        );
    }
    let effects = Effects::of(&effects);
    if super::words(effects) != words {
        return Err(predicate.has("effects", "that names one twice, or not in order"));
    }
    Ok(effects)
}

fn source(source: &Object<'_>) -> Read<Source> {
    source.only(&["repo", "rev"])?;
    Ok(Source { repo: source.text("repo")?.to_owned(), rev: source.optional_text("rev")? })
}
