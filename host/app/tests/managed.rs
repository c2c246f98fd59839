//! Limits of a user's files on the administrator's hooks.

use hookbox::{
    HookSpec, Request, ShippedPlugins, Target,
    agents::{self, ReadContext},
    hook::ShellSpec,
    model::{EventName, Layer},
    sandbox::compile::Compiler,
};
use hookbox_app::{
    FolderHooks, HookFiles, Surroundings,
    allowances::{self, Allowance},
    event_log::{self, HookName},
    places::{NamedPlaces, Places},
};

#[test]
fn an_allowance_lets_nothing_pass_that_the_administrator_denies() {
    let home = tempfile::tempdir().unwrap();
    let places =
        Places::of_account(&NamedPlaces { home: Some(home.path().to_owned()), ..NamedPlaces::default() });
    let event =
        br#"{"event":"tool.before","session":"s","cwd":"/p","tool":{"name":"t","class":"other","input":{}}}"#;
    let request =
        Request::parse_input(agents::find_dialect("native"), event.to_vec(), &ReadContext::default());
    let event = request.map_err(|invalid| invalid.message).unwrap().event;
    let layers = [Layer::Managed, Layer::User, Layer::Project, Layer::Session];
    let allowance = Allowance {
        call: event_log::call_digest(&event, "/p").unwrap(),
        hooks: layers.map(|layer| HookName { layer: layer.to_string(), name: "policy".to_owned() }).to_vec(),
        until: u64::MAX,
        once: false,
    };
    allowances::add_allowance(&places.allowances().unwrap(), allowance).unwrap();
    let surroundings = Surroundings {
        places,
        shipped: ShippedPlugins::default(),
        program: None,
        compiler: Compiler::None,
        variables: Vec::new(),
        session_folders: Vec::new(),
    };
    let folder = std::path::Path::new(&event.cwd);
    let mut folder_hooks = FolderHooks::read_files(surroundings, HookFiles::Alone { folder, file: None });
    // Tests must not write the machine's own file of the administrator.
    folder_hooks.loaded.hooks = layers
        .map(|layer| {
            let mut hook = HookSpec::new("policy", Target::Shell(ShellSpec::from_line("true")))
                .on([EventName::ToolBefore]);
            hook.origin.layer = layer;
            hook
        })
        .to_vec();
    let asked = folder_hooks.with_allowances(&event).loaded.hooks;
    assert_eq!(asked.iter().map(|hook| hook.origin.layer).collect::<Vec<_>>(), [Layer::Managed]);
}
