//! Counts the most that all core instances of a component hold together.

use std::collections::HashSet;

use hookbox_model::Limit;
use wasmparser::{
    ComponentAlias, ComponentInstance, ComponentOuterAliasKind, ElementItems, Instance, Payload,
};

/// The counts, from the outermost component inwards.
#[derive(Default)]
pub(super) struct Instances {
    /// Core instances in the component's text.
    written: u64,
    /// True if a component has several instances, or may have: each creates all of its core instances again.
    repeated: bool,
    /// Imports, exports, globals and elements of the module that is being read.
    module: u64,
    largest: u64,
    /// Components that were instantiated, for each component that is being read.
    made: Vec<HashSet<u32>>,
}

impl Instances {
    pub(super) fn count_payload(&mut self, payload: &Payload<'_>) {
        match payload {
            Payload::Version { .. } => {
                self.made.push(HashSet::new());
                self.module = 0;
            }
            Payload::End(_) => {
                self.made.pop();
                self.module = 0;
            }
            Payload::ImportSection(section) => self.add_to_module(section.count()),
            Payload::ExportSection(section) => self.add_to_module(section.count()),
            Payload::GlobalSection(section) => self.add_to_module(section.count()),
            Payload::TagSection(section) => self.add_to_module(section.count()),
            Payload::ElementSection(section) => {
                for element in section.clone().into_iter().flatten() {
                    self.add_to_module(match element.items {
                        ElementItems::Functions(functions) => functions.count(),
                        ElementItems::Expressions(_, expressions) => expressions.count(),
                    });
                }
            }
            Payload::InstanceSection(section) => {
                let made = section.clone().into_iter().flatten();
                let made = made.filter(|instance| matches!(instance, Instance::Instantiate { .. }));
                self.written += made.count() as u64;
            }
            Payload::ComponentInstanceSection(section) => {
                section.clone().into_iter().flatten().for_each(|instance| self.record_instance(&instance));
            }
            Payload::ComponentAliasSection(section) => {
                let mut aliases = section.clone().into_iter().flatten();
                self.repeated |= aliases.any(|alias| names_a_component(&alias));
            }
            _ => {}
        }
    }

    /// Returns the most that is held by all instances that one call may have.
    pub(super) fn held(&self) -> u64 {
        let most = Limit::Instances.max();
        self.largest.saturating_mul(if self.repeated { most } else { self.written.min(most) })
    }

    fn add_to_module(&mut self, count: u32) {
        self.module = self.module.saturating_add(u64::from(count));
        self.largest = self.largest.max(self.module);
    }

    fn record_instance(&mut self, instance: &ComponentInstance<'_>) {
        let ComponentInstance::Instantiate { component_index, .. } = instance else { return };
        let is_first = self.made.last_mut().is_some_and(|made| made.insert(*component_index));
        self.repeated |= !is_first;
    }
}

/// Returns true if the alias names a component: one component under two names could be taken for two.
fn names_a_component(alias: &ComponentAlias<'_>) -> bool {
    match alias {
        ComponentAlias::InstanceExport { kind, .. } => *kind == wasmparser::ComponentExternalKind::Component,
        ComponentAlias::Outer { kind, .. } => *kind == ComponentOuterAliasKind::Component,
        ComponentAlias::CoreInstanceExport { .. } => false,
    }
}
