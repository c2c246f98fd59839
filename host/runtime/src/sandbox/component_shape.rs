//! Counts the parts of a component before it is compiled: a component that is made to be expensive is refused for a
//! readable reason, and the limits on the compiler's process handle the rest.

mod instances;

use std::{collections::BTreeMap, fmt};

use thiserror::Error;
use wasmparser::{Parser, Payload, TypeSectionReader};

use self::instances::Instances;

/// A counted part, over all modules and components within a component. The largest interpreters that are compiled to
/// components have 30,000 functions, 30 modules and 10,000 of any other part, and one function of 1 MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// Functions with a body.
    Functions,
    /// Types, of modules and of components.
    Types,
    /// Imports of modules and components.
    Imports,
    /// Exports of modules and components.
    Exports,
    /// Globals.
    Globals,
    /// Memories and tables.
    MemoriesAndTables,
    /// Segments of elements and of data.
    Segments,
    /// Modules and components within the component.
    Nested,
    /// Instances of modules and of components.
    Instances,
    /// Aliases and functions that lift and lower.
    Glue,
    /// Custom sections: names, debug information.
    CustomSections,
    /// Components within components.
    Depth,
    /// Bytes of the largest function.
    FunctionBytes,
    /// Imports, exports, globals and elements of the largest module, times its possible instances: the host keeps some
    /// 32 bytes for each of them in each instance.
    Held,
}

impl Part {
    /// Returns the most that a component may have.
    pub fn most(self) -> u64 {
        match self {
            Self::Functions | Self::Imports | Self::Exports | Self::Globals | Self::Segments | Self::Glue => {
                100_000
            }
            Self::Types => 20_000,
            Self::MemoriesAndTables | Self::Nested | Self::Instances | Self::CustomSections => 1_000,
            Self::Depth => 16,
            Self::FunctionBytes => 4 << 20,
            Self::Held => 1_000_000,
        }
    }

    fn what(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::Types => "types",
            Self::Imports => "imports",
            Self::Exports => "exports",
            Self::Globals => "globals",
            Self::MemoriesAndTables => "memories and tables",
            Self::Segments => "segments of data and elements",
            Self::Nested => "modules and components within",
            Self::Instances => "instances",
            Self::Glue => "aliases and lifted or lowered functions",
            Self::CustomSections => "custom sections",
            Self::Depth => "components within one another",
            Self::FunctionBytes => "bytes in its largest function",
            Self::Held => "things for its instances to hold",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what())
    }
}

/// A component has more of a part than it may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the component has {count} {part}, but may have {}", .part.most())]
pub struct TooManyParts {
    /// The part.
    pub part: Part,
    /// The number that the component has; of parts in a sequence, the number at the first one beyond the maximum.
    pub count: u64,
}

/// Checks that no part exceeds its maximum. A malformed component is left to the compiler to report.
pub fn check_parts(component: &[u8]) -> Result<(), TooManyParts> {
    let mut shape = Shape::default();
    for payload in Parser::new(0).parse_all(component).map_while(Result::ok) {
        shape.count_payload(&payload)?;
        shape.instances.count_payload(&payload);
    }
    check_maximum(Part::Held, shape.instances.held())
}

#[derive(Default)]
struct Shape {
    depth: u64,
    counts: BTreeMap<Part, u64>,
    instances: Instances,
}

impl Shape {
    fn count_payload(&mut self, payload: &Payload<'_>) -> Result<(), TooManyParts> {
        match payload {
            Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => {
                self.depth += 1;
                check_maximum(Part::Depth, self.depth)?;
            }
            Payload::End(_) => self.depth = self.depth.saturating_sub(1),
            Payload::CodeSectionEntry(body) => check_maximum(Part::FunctionBytes, body.range().len() as u64)?,
            _ => {}
        }
        let Some((part, more)) = section_count(payload) else { return Ok(()) };
        let count = self.counts.entry(part).or_default();
        *count += u64::from(more);
        check_maximum(part, *count)
    }
}

fn check_maximum(part: Part, count: u64) -> Result<(), TooManyParts> {
    if count > part.most() { Err(TooManyParts { part, count }) } else { Ok(()) }
}

fn count_types(section: &TypeSectionReader<'_>) -> u32 {
    let groups = section.clone().into_iter().map_while(Result::ok);
    groups.fold(0, |all, group| all.saturating_add(u32::try_from(group.types().len()).unwrap_or(u32::MAX)))
}

/// Returns the part and count of a section, from the section's head: the rest of the section is not read.
fn section_count(payload: &Payload<'_>) -> Option<(Part, u32)> {
    Some(match payload {
        Payload::FunctionSection(section) => (Part::Functions, section.count()),
        // A group of types that refer to each other counts as one there.
        Payload::TypeSection(section) => (Part::Types, count_types(section).max(section.count())),
        Payload::CoreTypeSection(section) => (Part::Types, section.count()),
        Payload::ComponentTypeSection(section) => (Part::Types, section.count()),
        Payload::ImportSection(section) => (Part::Imports, section.count()),
        Payload::ComponentImportSection(section) => (Part::Imports, section.count()),
        Payload::ExportSection(section) => (Part::Exports, section.count()),
        Payload::ComponentExportSection(section) => (Part::Exports, section.count()),
        Payload::GlobalSection(section) => (Part::Globals, section.count()),
        Payload::TagSection(section) => (Part::Globals, section.count()),
        Payload::MemorySection(section) => (Part::MemoriesAndTables, section.count()),
        Payload::TableSection(section) => (Part::MemoriesAndTables, section.count()),
        Payload::ElementSection(section) => (Part::Segments, section.count()),
        Payload::DataSection(section) => (Part::Segments, section.count()),
        Payload::ModuleSection { .. } | Payload::ComponentSection { .. } => (Part::Nested, 1),
        Payload::InstanceSection(section) => (Part::Instances, section.count()),
        Payload::ComponentInstanceSection(section) => (Part::Instances, section.count()),
        Payload::ComponentAliasSection(section) => (Part::Glue, section.count()),
        Payload::ComponentCanonicalSection(section) => (Part::Glue, section.count()),
        Payload::CustomSection(_) => (Part::CustomSections, 1),
        _ => return None,
    })
}
