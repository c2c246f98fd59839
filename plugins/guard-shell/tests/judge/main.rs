//! Tests of the judge's verdicts on command lines, in tables.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that can not go on fails")]

mod carriers;
mod choices;
mod computed;
mod continued;
mod cut_values;
mod disguise;
#[path = "../support/disguises.rs"]
mod disguises;
mod downloads;
mod elsewhere;
mod everyday;
mod exceptions;
mod folders;
#[path = "../fuzz.rs"]
mod fuzz;
mod handed_on;
mod hook;
mod hostile;
mod itself;
mod leaks;
mod limits;
mod messages;
mod outside;
mod own_rules;
mod packs;
mod patterns;
mod protected;
mod quotes;
mod real_shells;
mod removal;
mod replaced;
mod rules;
mod runners;
mod searches;
mod secrets;
mod settings;
mod settings_of_git;
mod setup;
mod shapes;
mod spellings;
mod streams;
mod support;
mod unsure;
mod wrappers;
mod writers;
