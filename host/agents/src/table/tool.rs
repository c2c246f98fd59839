//! Location of a tool call in an event.

use hookbox_model::{Json, RawObject};

use crate::{
    InvalidEvent,
    schema::{self, Kind},
};

/// Location of a tool call in an event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tool {
    /// Nowhere.
    None,
    /// In members of its own.
    Named(&'static ToolMembers),
    /// `Named`, if name and arguments are present and of their kind; a result counts too, in any event.
    Offered(&'static ToolMembers),
    /// All calls are of this tool; these members are the arguments.
    View(&'static str, &'static [&'static str]),
}

/// The members of a tool call. Two spellings are equal if the agent has one only.
#[derive(Debug)]
pub(crate) struct ToolMembers {
    /// Member for the MCP server, if the agent names it separately.
    pub(crate) server: Option<&'static str>,
    /// Prefix of the name, so that a tool has one name in all events.
    pub(crate) prefix: &'static str,
    pub(crate) name: (&'static str, &'static str),
    pub(crate) input: (&'static str, &'static str),
}

pub(super) struct ToolRead {
    pub(super) name: String,
    pub(super) input: Json,
    /// The agent's name for the arguments.
    pub(super) field: &'static str,
    /// Members that contained the call.
    pub(super) members: Vec<&'static str>,
    /// True if a result may be present before the call is done.
    pub(super) offered: bool,
}

impl Tool {
    pub(super) fn read_call(
        self,
        event: &str,
        members: &RawObject<'_>,
    ) -> Result<Option<ToolRead>, InvalidEvent> {
        match self {
            Self::None => Ok(None),
            Self::Named(naming) => naming.read_call(event, members).map(Some),
            Self::Offered(naming) if !naming.has_tool(members) => Ok(None),
            Self::Offered(naming) => {
                naming.read_call(event, members).map(|call| Some(ToolRead { offered: true, ..call }))
            }
            Self::View(name, keys) => {
                let there = |key: &&'static str| Some((*key, members.get(key)?.get()));
                let input = Json::from_members(keys.iter().filter_map(there));
                let field = keys.first().copied().unwrap_or_default();
                let (name, members) = (name.to_owned(), keys.to_vec());
                Ok(Some(ToolRead { name, input, field, members, offered: false }))
            }
        }
    }
}

impl ToolMembers {
    /// Claude Code's, which many have copied.
    pub(crate) const CLAUDE_CODE: Self = Self {
        server: None,
        prefix: "",
        name: ("tool_name", "tool_name"),
        input: ("tool_input", "tool_input"),
    };

    /// Returns true if there is a name, and an object of arguments.
    fn has_tool(&self, members: &RawObject<'_>) -> bool {
        let is = |key, kind: Kind| members.get(key).is_some_and(|value| kind.admits(value.get()));
        is(self.name.0, Kind::Name) && is(self.input.0, Kind::Object)
    }

    /// Returns true if the name is present.
    pub(super) fn has_name(&self, members: &RawObject<'_>) -> bool {
        is_present(members, choose_spelling(members, self.name))
    }

    /// Returns true if the arguments are present.
    pub(super) fn has_input(&self, members: &RawObject<'_>) -> bool {
        is_present(members, choose_spelling(members, self.input))
    }

    fn read_call(&self, event: &str, members: &RawObject<'_>) -> Result<ToolRead, InvalidEvent> {
        let (name, field) = (choose_spelling(members, self.name), choose_spelling(members, self.input));
        schema::check_fields(event, members, &[(name, Kind::Name)])?;
        let mut called = format!("{}{}", self.prefix, members.get_string(name).unwrap_or_default());
        if let Some(server) = self.server {
            schema::check_fields(event, members, &[(server, Kind::Name)])?;
            // The form of Claude Code, so that one rule matches a server's tool for every agent.
            called = format!("mcp__{}__{called}", members.get_string(server).unwrap_or_default());
        }
        let input = read_arguments(event, members, field)?;
        let members = [Some(name), Some(field), self.server].into_iter().flatten().collect();
        Ok(ToolRead { name: called, input, field, members, offered: false })
    }
}

fn is_present(members: &RawObject<'_>, key: &str) -> bool {
    members.get(key).is_some_and(|value| value.get() != "null")
}

/// Reads the arguments: an object, or one in a string. Any other string, or a list, is the argument `input`.
fn read_arguments(event: &str, members: &RawObject<'_>, field: &'static str) -> Result<Json, InvalidEvent> {
    if let Some((raw, text)) = members.get(field).zip(members.get_string(field)) {
        // Some agents pass the arguments as JSON in a string, others a plain text such as a patch.
        return Ok(Json::parse_object(&text).unwrap_or_else(|_| Json::from_members([("input", raw.get())])));
    }
    if let Some(list) = members.get(field).filter(|value| Kind::List.admits(value.get())) {
        return Ok(Json::from_members([("input", list.get())]));
    }
    schema::check_fields(event, members, &[(field, Kind::Object)])?;
    Ok(members.get(field).map_or_else(Json::empty_object, Json::from_raw))
}

/// Returns the spelling that these members have; the first if both are absent.
pub(super) fn choose_spelling(
    members: &RawObject<'_>,
    (one, other): (&'static str, &'static str),
) -> &'static str {
    if members.get(one).is_none() && members.get(other).is_some() { other } else { one }
}
