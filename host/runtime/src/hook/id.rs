//! Which hook it is: where it stands, its name, and what it says.

use std::{
    fmt,
    hash::{Hash, Hasher},
    path::PathBuf,
};

use hookbox_model::Layer;
use sha2::{Digest, Sha256};

use super::HookSpec;

/// What tells a hook from every other one. A hook that was changed is another one, down to the path of an address or the
/// value of a header; one that was only moved within its file is the same.
///
/// `Display` is its name in files that are kept: one line, with 16 digits of the content's digest.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HookId {
    /// The layer.
    pub layer: Layer,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// Its name, unique within its layer.
    pub name: String,
    /// All that it says but its name.
    pub content: ContentDigest,
}

/// SHA-256 over what a hook says. It follows from the values and from nothing that is made for people to read, which leaves
/// out secrets and prints addresses of functions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentDigest([u8; 32]);

/// Digits of it in a name: more than enough to tell the versions of one hook apart.
const DIGITS: usize = 16;

impl HookId {
    /// That of this hook.
    pub fn of(spec: &HookSpec) -> Self {
        Self {
            layer: spec.origin.layer,
            file: spec.origin.file.clone(),
            name: spec.name.clone(),
            content: ContentDigest::of_hook(spec),
        }
    }
}

impl fmt::Display for HookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { layer, file, name, content } = self;
        let file = file.as_ref().map(|file| file.display().to_string()).unwrap_or_default();
        let content = content.to_string();
        write!(f, "{layer}:{name}:{}:{file}", content.get(..DIGITS).unwrap_or(&content))
    }
}

impl ContentDigest {
    /// Of all that the hook says but its name.
    pub(crate) fn of_hook(spec: &HookSpec) -> Self {
        let HookSpec { events, priority, once, .. } = spec;
        Self::of(&(Self::of_call(spec), events, priority, once))
    }

    /// Of all that a call of it depends on: two hooks with the same make the very same call.
    pub(crate) fn of_call(spec: &HookSpec) -> Self {
        let HookSpec { handler, config, tool, role, on_failure, limits, .. } = spec;
        Self::of(&(handler, config, tool, role, on_failure, limits))
    }

    fn of(said: &impl Hash) -> Self {
        let mut bytes = Bytes(Sha256::new());
        said.hash(&mut bytes);
        Self(bytes.0.finalize().into())
    }
}

impl fmt::Display for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ContentDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Takes what a value hashes. `Hash` tells lengths and variants, so different values are different bytes.
struct Bytes(Sha256);

impl Hasher for Bytes {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Nobody asks: the digest is taken instead.
    fn finish(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use hookbox_model::{EventName, Json, Limit, Limits, OnFailure, Role, ToolClass};

    use super::*;
    use crate::{
        CallbackHook, HandlerSpec, ToolMatcher,
        dialect::{self, Dialect},
        hook::{
            Condition, ForeignCall, ForeignSpec, ShellCommand, ShellSpec, WasmSpec, WebhookMethod,
            WebhookSpec,
        },
    };

    fn hook(handler: HandlerSpec) -> HookSpec {
        HookSpec { handler, ..CallbackHook::gate("a", [EventName::ToolBefore]).into_spec() }
    }

    fn webhook(url: &str, token: &str) -> WebhookSpec {
        let headers = vec![("Authorization".to_owned(), token.to_owned())];
        let (url, method) = (url.to_owned(), WebhookMethod::Post);
        WebhookSpec { url, method, headers, env: Vec::new(), sign: None }
    }

    fn shell(command: &str) -> ShellSpec {
        let command = ShellCommand::Line(command.to_owned());
        ShellSpec { command, cwd: None, env: Vec::new(), confinement: None }
    }

    fn speaking(agent: &str) -> HandlerSpec {
        let own = dialect::named(agent).and_then(Dialect::own_hooks).unwrap();
        HandlerSpec::Foreign(Box::new(ForeignSpec {
            call: ForeignCall::Shell(shell("x")),
            contract: own.contract().unwrap(),
            variables: Vec::new(),
            when: Some(Condition::new("Bash", |_| true)),
            sequential: false,
            in_role: false,
            written: None,
        }))
    }

    #[test]
    fn hooks_that_say_something_different_are_different_hooks() {
        let base = || hook(HandlerSpec::Wasm(WasmSpec::new("/a")));
        let web = |url, token| hook(HandlerSpec::Webhook(webhook(url, token)));
        let tool = |matcher| HookSpec { tool: Some(matcher), ..base() };
        let glob = ToolMatcher { glob: Some(wildmatch::WildMatch::new("a*")), ..ToolMatcher::default() };
        let other = ToolMatcher { glob: Some(wildmatch::WildMatch::new("b*")), ..ToolMatcher::default() };
        let hooks = [
            base(),
            hook(HandlerSpec::Wasm(WasmSpec::new("/b"))),
            hook(HandlerSpec::Callback),
            hook(HandlerSpec::Shell(shell("x"))),
            hook(HandlerSpec::Shell(shell("y"))),
            // `Debug` shows none of the differences between these.
            web("https://h/one", "secret"),
            web("https://h/two", "secret"),
            web("https://h/one", "mended"),
            hook(speaking("claude-code")),
            hook(speaking("gemini-cli")),
            hook(speaking("llxprt")),
            hook(speaking("codex")),
            HookSpec { config: Json::parse("{\"a\":1}").unwrap(), ..base() },
            HookSpec { role: Role::Transform, ..base() },
            HookSpec { on_failure: Some(OnFailure::Ask), ..base() },
            HookSpec { priority: 1, ..base() },
            HookSpec { once: true, ..base() },
            HookSpec { events: vec![EventName::ToolAfter], ..base() },
            HookSpec { limits: Limits::default().with(Limit::Fuel, 1_000_000).unwrap(), ..base() },
            tool(ToolMatcher { classes: vec![ToolClass::Shell], ..ToolMatcher::default() }),
            tool(ToolMatcher { names: vec!["a*".to_owned()], ..ToolMatcher::default() }),
            tool(glob),
            tool(other),
            tool(ToolMatcher {
                regex: Some(regex::bytes::Regex::new("a*").unwrap()),
                ..ToolMatcher::default()
            }),
        ];
        for (at, one) in hooks.iter().enumerate() {
            assert_eq!(HookId::of(one), HookId::of(&one.clone()));
            for (beside, another) in hooks.iter().enumerate().filter(|(beside, _)| *beside != at) {
                let (one, another) = (HookId::of(one), HookId::of(another));
                assert_ne!(one.to_string(), another.to_string(), "{at} and {beside}");
            }
        }
    }

    #[test]
    fn the_same_call_is_known_whatever_it_is_called_and_for() {
        let base = hook(HandlerSpec::Webhook(webhook("https://h/one", "secret")));
        let other = HookSpec { name: "b".to_owned(), events: vec![EventName::ToolAfter], ..base.clone() };
        assert_eq!(ContentDigest::of_call(&base), ContentDigest::of_call(&other));
        assert_ne!(ContentDigest::of_hook(&base), ContentDigest::of_hook(&other));
        let mended = hook(HandlerSpec::Webhook(webhook("https://h/two", "secret")));
        assert_ne!(ContentDigest::of_call(&base), ContentDigest::of_call(&mended));
    }

    #[test]
    fn a_secret_is_not_in_the_name() {
        let id = HookId::of(&hook(HandlerSpec::Webhook(webhook("https://h/secret-path", "secret-token"))));
        assert!(!format!("{id} {id:?}").contains("secret"));
    }
}
