//! The sandbox from outside the library: what guests can and cannot do.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "tests and their helpers")]

mod asks;
#[path = "../../benches/soak/attacks.rs"]
mod attacks;
mod cache;
mod chain;
mod compiling;
mod embedding;
mod facts;
mod files;
mod grants;
#[path = "../support/guests.rs"]
mod guests;
mod handles;
mod hostile;
mod http;
mod isolation;
mod json;
mod kv;
mod limits;
mod manifest;
mod pinned_content;
mod programs;
#[path = "../support/programs.rs"]
mod programs_as_components;
mod proposals;
mod refusals;
mod reload;
mod requests;
mod scale;
mod sockets;
mod stop_loops;
mod versions;
mod working_folder;

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

pub(crate) use self::programs_as_components::build_program;
use hookbox::{
    HookSpec, Host, HostBuilder, Origin, Target,
    hook::WasmSpec,
    model::{
        Event, EventName, Failure, FailureCode, HookReport, Json, Layer, Limit, Limits, Outcome, Status,
        ToolCall, ToolClass, TrustLevel,
    },
    sandbox::{compile::Compiler, engine_settings::Allocation},
};
use tempfile::TempDir;

/// A folder with plugins and a cache of its own.
pub(crate) struct Bed {
    folder: TempDir,
}

impl Bed {
    pub(crate) fn new() -> Self {
        Self { folder: TempDir::new().unwrap() }
    }

    pub(crate) fn join_path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a guest's component; where it is.
    pub(crate) fn write_plugin(&self, guest: &str) -> PathBuf {
        self.write_file(&format!("{guest}.wasm"), &guests::build_component(guest))
    }

    pub(crate) fn write_file(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.join_path(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn builder(&self) -> HostBuilder {
        Host::builder().cache(&self.join_path("cache")).compiler(create_compiler())
    }

    /// A gate that calls this guest.
    pub(crate) fn create_gate(&self, guest: &str) -> HookSpec {
        create_hook(guest, &self.write_plugin(guest))
    }

    /// Runs one guest as a gate on the usual event, on demand and from the pool; both must come to the same.
    pub(crate) fn run(&self, guest: &str, limits: &Limits) -> HookReport {
        let spec = HookSpec { limits: limits.clone(), ..self.create_gate(guest) };
        let [on_demand, pooled] = [Allocation::OnDemand, Allocation::POOLED].map(|allocation| {
            let host = self.builder().allocation(allocation).hooks([spec.clone()]).build();
            dispatch_event(&host, tool_event()).reports.remove(0)
        });
        assert_eq!(on_demand.status, pooled.status);
        if matches!(pooled.status, Status::Answered(_)) {
            assert_eq!(on_demand.usage.fuel, pooled.usage.fuel);
        }
        pooled
    }

    /// The failure of a guest with default limits but a short timeout.
    pub(crate) fn run_to_failure(&self, guest: &str) -> Failure {
        expect_failure(&self.run(guest, &create_brief_limits()))
    }
}

pub(crate) fn create_compiler() -> Compiler {
    Compiler::Process(Path::new(env!("CARGO_BIN_EXE_hookbox-compile")).to_owned())
}

/// Default limits with a timeout of 300 ms.
pub(crate) fn create_brief_limits() -> Limits {
    Limits::default()
        .with_limit(Limit::Timeout, 300)
        .unwrap()
        .with_limit(Limit::Fuel, Limit::Fuel.max())
        .unwrap()
}

pub(crate) fn expect_failure(report: &HookReport) -> Failure {
    match &report.status {
        Status::Failed(failure) => failure.clone(),
        other => panic!("expected a failure, not {other:?}"),
    }
}

pub(crate) fn find_failure_code(report: &HookReport) -> FailureCode {
    expect_failure(report).code
}

pub(crate) fn create_hook(name: &str, component: &Path) -> HookSpec {
    let origin = Origin::new(Layer::User, TrustLevel::Own);
    let calls = Target::Wasm(WasmSpec::new(component));
    HookSpec { origin, ..HookSpec::new(name, calls).on([EventName::ToolBefore]) }
}

pub(crate) fn tool_event() -> Event {
    let source = Json::parse(r#"{"tool_name":"Bash","tool_input":{"command":"ls"}}"#).unwrap();
    Event {
        id: "1".to_owned(),
        agent_event: "tool.before".to_owned(),
        cwd: "/code".to_owned(),
        tool: Some(ToolCall {
            name: "Bash".to_owned(),
            class: ToolClass::Shell,
            command: Some("ls".to_owned()),
            paths: vec![],
            input: Json::parse(r#"{"command":"ls"}"#).unwrap(),
            output: None,
        }),
        source,
        ..Event::new(EventName::ToolBefore, "native")
    }
}

pub(crate) fn dispatch_event(host: &Host, event: Event) -> Outcome {
    create_runtime().block_on(host.dispatch(event))
}

pub(crate) fn create_runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// A host that several threads use.
pub(crate) fn share_host(builder: HostBuilder) -> Arc<Host> {
    Arc::new(builder.build())
}

#[test]
fn every_guest_has_a_test() {
    let tests = [
        "cache.rs",
        "chain.rs",
        "compiling.rs",
        "facts.rs",
        "files.rs",
        "grants.rs",
        "handles.rs",
        "hostile.rs",
        "http.rs",
        "json.rs",
        "kv.rs",
        "limits.rs",
        "manifest.rs",
        "programs.rs",
        "proposals.rs",
        "refusals.rs",
        "requests.rs",
        "scale.rs",
        "sockets.rs",
        "versions.rs",
    ]
    .map(|file| fs::read_to_string(guests::repository_folder("tests/sandbox").join(file)).unwrap())
    .concat();
    let forgotten: Vec<_> =
        guests::list_guests().into_iter().filter(|name| !tests.contains(&format!("{name:?}"))).collect();
    assert_eq!(forgotten, Vec::<String>::new());
}
