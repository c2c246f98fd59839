//! Configuration of LiteLLM's proxy, which lists the callback classes: YAML, in which every byte that is not hookbox's stays unchanged.
//!
//! Positions in the text come from the parser, and the change is made in the text. The new text is parsed again and compared, event by
//! event, with the expected result; a trial removal follows. A change that fails these checks is not made, and the user gets the line to
//! write.

mod callback_insertion;
mod callback_removal;
mod change;
mod outline;
#[cfg(test)]
mod tests;

use self::outline::Outline;
use super::{Base::Config, Edit, SettingsError, UserFolder, edit};

/// Member that contains the callbacks.
const SETTINGS: &str = "litellm_settings";
const CALLBACKS: &str = "callbacks";

/// A proxy that hookbox is put into.
#[derive(Debug)]
pub struct Proxy {
    /// The agent, as in `--agent`.
    pub agent: &'static str,
    /// Callback in the configuration: an object of the Python package.
    pub callback: &'static str,
    /// Place of the proxy's configuration, if it is fixed.
    pub place: Option<(UserFolder, &'static str)>,
}

static PROXIES: [Proxy; 2] = [
    Proxy { agent: "litellm", callback: "hookbox_litellm.hookbox", place: None },
    Proxy {
        agent: "run-claude",
        callback: "hookbox_litellm.run_claude",
        place: Some((
            UserFolder { variable: Some("RUN_CLAUDE_HOME"), base: Config, path: "run-claude" },
            "litellm_config.yaml",
        )),
    },
];

/// Returns every proxy.
pub fn all_proxies() -> impl Iterator<Item = &'static Proxy> {
    PROXIES.iter()
}

/// Returns the proxy of this name.
pub fn find_proxy(agent: &str) -> Option<&'static Proxy> {
    all_proxies().find(|proxy| proxy.agent == agent)
}

/// Original form of the configuration at the callback's place, where the new text no longer shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginalForm {
    /// No `litellm_settings`.
    Nothing,
    /// `litellm_settings:` without a value.
    EmptySettings,
    /// `litellm_settings` without `callbacks`.
    NoCallbacks,
    /// `callbacks:` without a value.
    EmptyCallbacks,
    /// One callback, as a text and not in a list.
    OneCallback,
    /// A list.
    List,
}

const NAMES: [(OriginalForm, &str); 6] = [
    (OriginalForm::Nothing, "no-settings"),
    (OriginalForm::EmptySettings, "empty-settings"),
    (OriginalForm::NoCallbacks, "no-callbacks"),
    (OriginalForm::EmptyCallbacks, "empty-callbacks"),
    (OriginalForm::OneCallback, "one-callback"),
    (OriginalForm::List, "list"),
];

impl OriginalForm {
    /// Returns the name under which this form is recorded.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(held, _)| *held == self).map_or("list", |(_, name)| name)
    }

    /// Parses a recorded name.
    pub fn from_name(name: &str) -> Option<Self> {
        NAMES.iter().find(|(_, known)| *known == name).map(|(held, _)| *held)
    }
}

/// Adds the proxy's callback; returns the same text and `None` if it is present already.
pub fn install_callback(text: &str, proxy: &Proxy) -> Result<(Edit, Option<OriginalForm>), SettingsError> {
    let (mark, body) = split_mark(text)?;
    let outline = Outline::from_text(body).map_err(|error| match error {
        SettingsError::Syntax { line, column, problem } => {
            SettingsError::Unread { line, column, problem, callback: proxy.callback }
        }
        error => error,
    })?;
    let Some((change, held)) = callback_insertion::add_callback(&outline, proxy.callback)? else {
        return Ok((keep_text(text), None));
    };
    let by_hand = || SettingsError::ByHand(proxy.callback.to_owned());
    let body_after = change.apply_to(&outline).ok_or_else(by_hand)?;
    let text_after = format!("{mark}{body_after}");
    // A trial removal: a change that could not be undone exactly is left to the user.
    if uninstall_callback(&text_after, proxy, Some(held)).is_ok_and(|back| back.text == text) {
        Ok((make_edit(text_after, proxy), Some(held)))
    } else {
        Err(by_hand())
    }
}

/// Removes the proxy's callback from any place in the list, and everything that was created for it.
pub fn uninstall_callback(
    text: &str,
    proxy: &Proxy,
    held: Option<OriginalForm>,
) -> Result<Edit, SettingsError> {
    let (mark, body) = split_mark(text)?;
    let mut body = body.to_owned();
    let mut is_there = false;
    // A hand-written list may have the callback several times.
    loop {
        let outline = Outline::from_text(&body)?;
        let Some(change) = callback_removal::remove_callback(&outline, proxy.callback, held) else { break };
        let stuck = || SettingsError::Stuck(proxy.callback.to_owned());
        body = change.apply_to(&outline).ok_or_else(stuck)?;
        is_there = true;
    }
    if is_there { Ok(make_edit(format!("{mark}{body}"), proxy)) } else { Ok(keep_text(text)) }
}

/// Returns true if the configuration includes other files, whose `litellm_settings` would replace its own.
pub fn includes_files(text: &str) -> bool {
    let body = split_mark(text).map(|(_, body)| body).unwrap_or_default();
    Outline::from_text(body)
        .is_ok_and(|outline| outline.root().is_some_and(|root| root.has_member("include")))
}

/// Returns true if the text is a proxy's configuration.
pub fn is_one(text: &str) -> bool {
    const MEMBERS: [&str; 4] = ["model_list", SETTINGS, "general_settings", "router_settings"];
    let body = split_mark(text).map(|(_, body)| body).unwrap_or_default();
    let outline = Outline::from_text(body);
    outline.is_ok_and(|outline| {
        outline.root().is_some_and(|root| MEMBERS.iter().any(|member| root.has_member(member)))
    })
}

/// Splits off the byte order mark.
fn split_mark(text: &str) -> Result<(&str, &str), SettingsError> {
    edit::check_length(text)?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    })
}

fn make_edit(text: String, proxy: &Proxy) -> Edit {
    Edit { text, events: vec![proxy.callback.to_owned()] }
}

fn keep_text(text: &str) -> Edit {
    Edit { text: text.to_owned(), events: Vec::new() }
}
