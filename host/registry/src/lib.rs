//! Plugins in OCI registries and image layouts.
//!
//! A registry is a way from one place to another, and nobody's word: what is taken from it is what its digest says, no larger than
//! its descriptor says, and nothing more of what it says is believed. Who signed a plugin is looked at by others; here its statement
//! and signatures are carried along, as [`Signed`].
//!
//! | | |
//! |---|---|
//! | [`Reference`] | `oci://HOST[:PORT]/NAME[:VERSION\|@sha256:…]` |
//! | [`Registries`] | pulls and pushes, over the network |
//! | [`layout`] | the same as a folder |
//! | [`Package`] | what is handed out |
//!
//! Requests go to the registry and where it leads, by rules: with TLS, but on this machine; credentials to the registry's own site
//! alone; every reply bounded, and all together in time.

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
mod pulled;
mod reference;
mod registries;
mod session;
mod signed;
mod wire;

pub use self::{
    component::MAX_COMPONENT,
    digest::Digest,
    docker::Docker,
    error::{Error, ErrorKind},
    manifest::Annotations,
    package::{Package, Release},
    pulled::{Found, Listed, Pulled},
    reference::{Pick, Reference, Registry, SCHEME},
    registries::{Limits, Registries},
    session::MAX_MANIFEST,
    signed::{MAX_SIGNATURES, Signed},
};
