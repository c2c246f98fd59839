//! The agents' own hook files, each by its reader, and what `import` makes of them.

use hookbox::{
    agents::{self, Dialect},
    config,
    hookfile::Source,
    import::convert_file,
    model::{Layer, TrustLevel},
};

/// Most hooks of one file.
const MOST: usize = 256;

/// The bytes are what any of the files may hold.
pub fn run(data: &[u8]) {
    for dialect in agents::all_dialects() {
        read(*dialect, data);
    }
}

pub(crate) fn read(dialect: &dyn Dialect, data: &[u8]) {
    let (Some(own), Some(source)) = (dialect.hook_file(), source(data)) else { return };
    let loaded = own.load(&source);
    assert!(loaded.hooks.len() <= MOST, "{} hooks", loaded.hooks.len());
    if loaded.hooks.is_empty() {
        return;
    }
    let dialects = crate::configuration::events();
    let dialects: Vec<_> = dialects.iter().map(|(name, events)| (*name, events.as_slice())).collect();
    // What is written for hookbox can be read by it: every hook that is counted is there, or told to
    // be the same as another.
    let imported = convert_file(dialect, &source).unwrap_or_default();
    let read = config::load(&Source { text: imported.text.clone(), ..source }, &dialects);
    assert!(!read.has_errors(), "{:?}\n{}", read.problems, imported.text);
    let once = read.problems.iter().filter(|problem| problem.message.ends_with("it is called once")).count();
    let there = read.hooks.len() + read.disabled.len();
    assert!(there <= imported.hooks && imported.hooks <= there + once, "{}", imported.text);
}

fn source(data: &[u8]) -> Option<Source> {
    let file = Some("/project/hooks".into());
    let text = String::new();
    let source = Source {
        layer: Layer::User,
        trust_level: TrustLevel::Own,
        file,
        root: None,
        plugins: hookbox::ShippedPlugins::default(),
        text,
    };
    source.with_bytes(data.to_vec()).ok()
}
