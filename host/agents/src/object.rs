//! A JSON object written member by member; parts that are JSON already are spliced in untouched.

use hookbox_model::Json;

/// An object under construction. Duplicate keys are not checked: its writers add each key once.
#[derive(Debug)]
pub(super) struct Object {
    text: String,
    members: usize,
}

impl Object {
    pub(super) fn new() -> Self {
        Self { text: "{".to_owned(), members: 0 }
    }

    /// Returns the number of members written.
    pub(super) fn len(&self) -> usize {
        self.members
    }

    /// Adds a member that is JSON text already.
    pub(super) fn raw(&mut self, key: &str, json: &str) -> &mut Self {
        if self.members > 0 {
            self.text.push(',');
        }
        self.members += 1;
        self.text.push_str(&quote_json(key));
        self.text.push(':');
        // Spliced in: parsing and printing would change numbers beyond a double and the order of members.
        self.text.push_str(json);
        self
    }

    pub(super) fn json(&mut self, key: &str, json: &Json) -> &mut Self {
        self.raw(key, json.as_str())
    }

    pub(super) fn text(&mut self, key: &str, text: &str) -> &mut Self {
        self.raw(key, &quote_json(text))
    }

    /// Adds a text member if there is a text.
    pub(super) fn text_if(&mut self, key: &str, text: Option<&str>) -> &mut Self {
        match text {
            Some(text) => self.text(key, text),
            None => self,
        }
    }

    pub(super) fn texts<'a>(&mut self, key: &str, texts: impl Iterator<Item = &'a str>) -> &mut Self {
        self.raw(key, &format_array(texts.map(quote_json)))
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push('}');
        self.text
    }

    /// Returns the object as a line of its own.
    pub(super) fn line(self) -> String {
        self.finish() + "\n"
    }
}

/// Returns an array of items that are JSON text already.
pub(super) fn format_array(items: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[");
    for item in items {
        if text.len() > 1 {
            text.push(',');
        }
        text.push_str(&item);
    }
    text.push(']');
    text
}

pub(super) fn quote_json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
