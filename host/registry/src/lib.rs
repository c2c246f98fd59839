//! Plugins in OCI registries and image layouts.
//!
//! A registry is only a transport and not trusted: content must match its digest and the size in its descriptor, and no other information
//! of the registry is believed. Signatures are not verified here; a plugin's statement and signatures are passed on as [`Signed`].
//!
//! | | |
//! |---|---|
//! | [`Reference`] | `oci://HOST[:PORT]/NAME[:VERSION\|@sha256:…]` |
//! | [`Registries`] | pulls and pushes, over the network |
//! | [`layout`] | a registry's content as a folder |
//! | [`Package`] | content to push |
//!
//! Requests go to the registry and to servers that it redirects to, by rules: with TLS, except on this machine; credentials only to the
//! registry's own site; every reply bounded, and a time limit for all together.

mod access;
mod address;
mod challenge;
mod component;
mod digest;
mod docker;
mod error;
mod helper;
mod json;
pub mod layout;
mod manifest;
mod package;
mod pulled_content;
mod reference;
mod registries;
mod session;
mod signed_release;
mod wire;

pub use self::{
    component::MAX_COMPONENT,
    digest::Digest,
    docker::Docker,
    error::{Error, ErrorKind},
    manifest::Annotations,
    package::{Package, Release},
    pulled_content::{Found, Listed, Pulled},
    reference::{Pick, Reference, Registry, SCHEME},
    registries::{Limits, Registries},
    session::MAX_MANIFEST,
    signed_release::{MAX_SIGNATURES, Signed},
};
