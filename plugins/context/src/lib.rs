//! Gives the model configured text when a session starts and with every prompt.

mod settings;

use hookbox_sdk::{Answer, Event, Hook, export};

use settings::Settings;

/// The hook.
pub struct Context;

impl Hook for Context {
    fn handle(event: Event) -> Result<Answer, String> {
        let settings: Settings = hookbox_sdk::config()?;
        let text = match event.name.as_str() {
            "session.start" => settings.session.text(),
            "prompt.submit" => settings.prompt.text(),
            _ => None,
        };
        Ok(text.map_or_else(Answer::none, Answer::context))
    }
}

export!(Context);

#[cfg(test)]
mod tests {
    use hookbox_sdk::testing;

    use super::*;

    const BOTH: &str = r#"{"session": "Run the tests.", "prompt": ["Be brief.", "Be kind."]}"#;

    fn answer(event: &str, settings: &str) -> Result<Answer, String> {
        testing::set_config(settings);
        Context::handle(Event { name: event.into(), ..Event::default() })
    }

    #[test]
    fn a_session_starts_with_its_text() {
        assert_eq!(answer("session.start", BOTH), Ok(Answer::context("Run the tests.")));
    }

    #[test]
    fn a_list_becomes_paragraphs() {
        assert_eq!(answer("prompt.submit", BOTH), Ok(Answer::context("Be brief.\n\nBe kind.")));
    }

    #[test]
    fn other_events_get_no_text() {
        assert_eq!(answer("tool.before", BOTH), Ok(Answer::none()));
    }

    #[test]
    fn a_moment_without_settings_gets_no_text() {
        assert_eq!(answer("prompt.submit", r#"{"session": "Hello."}"#), Ok(Answer::none()));
        assert_eq!(answer("session.start", "{}"), Ok(Answer::none()));
    }

    #[test]
    fn blank_texts_give_no_context() {
        assert_eq!(answer("session.start", r#"{"session": ["", " \n"]}"#), Ok(Answer::none()));
    }

    #[test]
    fn an_unknown_key_is_an_error_on_every_event() {
        let error = "settings: `sesion`: unknown field `sesion`, expected `session` or `prompt`";
        assert_eq!(answer("tool.before", r#"{"sesion": "Hello."}"#), Err(error.into()));
    }

    #[test]
    fn a_text_that_is_a_number_is_an_error_that_names_the_key() {
        let error = "settings: `prompt`: invalid type: integer `3`, expected a string or a list of strings";
        assert_eq!(answer("prompt.submit", r#"{"prompt": 3}"#), Err(error.into()));
    }

    #[test]
    fn a_list_with_a_number_is_an_error_that_names_the_place() {
        let error = "settings: `prompt[1]`: invalid type: integer `3`, expected a string";
        assert_eq!(answer("prompt.submit", r#"{"prompt": ["a", 3]}"#), Err(error.into()));
    }
}
