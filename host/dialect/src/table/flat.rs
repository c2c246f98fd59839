//! Blocks of content as the text in them.

use hookbox_model::{Json, RawObject};
use serde_json::value::RawValue;

/// Returns the member with this name, if it is a list of blocks: their texts, separated by line breaks.
pub(super) fn flatten_text(members: &RawObject<'_>, key: &'static str) -> Option<(&'static str, Json)> {
    let blocks: Vec<&RawValue> = serde_json::from_str(members.get(key)?.get()).ok()?;
    let text_of = |block: &&RawValue| RawObject::parse(block.get()).ok()?.get_string("text");
    let texts: Vec<String> = blocks.iter().filter_map(text_of).collect();
    Some((key, Json::from_value(&texts.join("\n").into())))
}
