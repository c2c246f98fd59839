//! Parsing of untrusted JSON.

use hookbox_model::Json;
use serde::de::DeserializeOwned;

use crate::error::Error;

/// Parses a document: UTF-8, without duplicate keys, within the depth limit. `what` names it in the error.
pub(crate) fn parse_document<T: DeserializeOwned>(bytes: &[u8], what: &str) -> Result<T, Error> {
    let text = std::str::from_utf8(bytes).map_err(|_| Error::for_damage(format!("{what} is not UTF-8")))?;
    // serde accepts duplicate keys of a map, of which another reader may take the other one.
    Json::parse(text).map_err(|error| Error::for_damage(format!("{what} is not JSON: {error}")))?;
    serde_json::from_str(text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        Error::for_damage(format!("{what} does not have the expected form (line {line}, column {column})"))
    })
}
