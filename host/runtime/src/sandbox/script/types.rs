//! Converts TypeScript to JavaScript: types become blanks, so that each line and column keeps its place. Syntax beyond
//! types (enums, namespaces, parameter properties) would need generated code, and is refused.

use std::{cell::RefCell, rc::Rc};

use swc_common::{
    SourceMap,
    errors::{DiagnosticBuilder, Emitter, Handler},
    sync::Lrc,
};
use swc_ts_fast_strip::{Options, operate};

use super::excerpt::{Place, format_error};

/// Returns the script of this name without types.
pub(super) fn strip_types(name: &str, source: &str) -> Result<String, String> {
    let (map, first) = (Lrc::new(SourceMap::default()), First::default());
    let emitter = Collector { map: map.clone(), first: first.clone() };
    let handler = Handler::with_emitter(true, false, Box::new(emitter));
    let options = Options { module: Some(true), ..Options::default() };
    operate(&map, &handler, source.to_owned(), options).map(|made| made.code).map_err(|error| {
        match first.borrow_mut().take() {
            Some((what, place)) => format_error(name, source, place, &what),
            None => format!("{name}: {}", error.message),
        }
    })
}

/// The first error, with its place.
type First = Rc<RefCell<Option<(String, Place)>>>;

fn in_our_words(what: &str) -> String {
    match what.strip_suffix(" is not supported in strip-only mode") {
        Some(what) => {
            format!("{what} is more than types, which are all that is taken out: write it in JavaScript")
        }
        None => what.trim_end_matches('.').to_owned(),
    }
}

struct Collector {
    map: Lrc<SourceMap>,
    first: First,
}

impl Emitter for Collector {
    fn emit(&mut self, diagnostic: &mut DiagnosticBuilder<'_>) {
        let mut first = self.first.borrow_mut();
        if let (None, Some(span)) = (&*first, diagnostic.span.primary_span()) {
            let at = self.map.lookup_char_pos(span.lo);
            *first =
                Some((in_our_words(&diagnostic.message()), Place { line: at.line, column: at.col.0 + 1 }));
        }
    }
}
