//! The administrator's hooks stay on, independent of the program, the user and projects.

use hookbox::{
    Callback, CallbackHook, HookSpec, HookState, Target,
    hook::ShellSpec,
    model::{Answer, EventName, Layer},
};
use hookbox_service::{HookHandle, HookSource, Service};

use super::bed::*;

const POLICY: &str = "policy: not here";

fn build_spec(layer: Layer, target: Target) -> HookSpec {
    let mut spec = HookSpec::new("policy", target).on([EventName::ToolBefore]);
    spec.origin.layer = layer;
    spec
}

/// Adds an administrator's hook to the service's chain. (Their file belongs to the machine, and a test must not write it.)
fn policy_comes(service: &Service) -> HookHandle {
    let deny = Callback::sync(|_| Ok(Answer::deny("policy", "not here")));
    service.add(CallbackHook::from(build_spec(Layer::Managed, Target::Callback)), deny)
}

/// Returns the layer of each hook of the project's chain, and another property of it.
fn list_layers<T>(service: &Service, world: &World, of: impl Fn(&HookState<'_>) -> T) -> Vec<(Layer, T)> {
    service.host(&world.project()).hooks().map(|hook| (hook.spec.origin.layer, of(&hook))).collect()
}

#[test]
fn a_name_that_was_switched_off_before_it_came_is_not_the_administrators() {
    let world = World::new();
    world.user_denies("policy");
    let service = world.service();
    assert_eq!(service.set_hook_enabled(&world.project(), "policy", false), 1);
    assert_eq!(read_reason(&world.ask_service(&service)), "");
    policy_comes(&service);
    assert_eq!(read_reason(&world.ask_service(&service)), POLICY);
    let elsewhere = world.home().join("elsewhere");
    std::fs::create_dir_all(&elsewhere).unwrap();
    assert_eq!(read_reason(&ask_in(&service, &elsewhere, "session")), POLICY);
    service.reload();
    assert_eq!(read_reason(&world.ask_service(&service)), POLICY);
    // Of the two hooks of this name there the other one is switched.
    assert_eq!(service.set_hook_enabled(&world.project(), "policy", false), 1);
    assert_eq!(read_reason(&world.ask_service(&service)), POLICY);
    let enabled: Vec<_> = list_layers(&service, &world, |hook| hook.enabled);
    assert_eq!(enabled, [(Layer::Managed, true), (Layer::User, false)]);
    assert_eq!(service.set_hook_enabled(&world.project(), "policy", true), 2);
}

#[test]
fn a_broken_file_or_none_at_all_leaves_it_where_it_is() {
    let world = World::new();
    for hooks in [HookSource::Layers(None), HookSource::Nothing] {
        let service = world.service_of(hooks);
        service.set_hook_enabled(&world.project(), "policy", false);
        policy_comes(&service);
        assert_eq!(read_reason(&world.ask_service(&service)), POLICY);
    }
    world.write_file(".config/hookbox/hooks.toml", "[[hook");
    let service = world.service();
    service.set_hook_enabled(&world.project(), "policy", false);
    policy_comes(&service);
    assert!(read_reason(&world.ask_service(&service)).contains(POLICY));
}

#[test]
fn hooks_of_its_name_neither_take_its_place_nor_take_it_along() {
    let silent = "[[hook]]\nname = \"policy\"\non = \"tool.before\"\nshell = { argv = [\"true\"] }\n";
    let world = World::new();
    world.write_file(".config/hookbox/hooks.toml", silent);
    let service = world.service();
    policy_comes(&service);
    let closure = CallbackHook::gate("policy", [EventName::ToolBefore]);
    let closure = service.add(closure, Callback::sync(|_| Ok(Answer::allow("policy", "go on"))));
    let configured =
        service.add_hooks([build_spec(Layer::Session, Target::Shell(ShellSpec::from_line("true")))]);
    let all: Vec<_> = list_layers(&service, &world, |hook| hook.spec.name.clone());
    let there = [Layer::Managed, Layer::User, Layer::Session, Layer::Session];
    assert_eq!(all, there.map(|layer| (layer, "policy".to_owned())));
    assert_eq!(read_reason(&world.ask_service(&service)), POLICY);
    service.set_hook_enabled(&world.project(), "policy", false);
    assert_eq!(read_reason(&world.ask_service(&service)), POLICY);
    assert!(service.remove(closure) && service.remove(configured));
    assert_eq!(read_reason(&world.ask_service(&service)), POLICY);
}
