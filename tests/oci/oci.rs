//! The CNCF layout of wasm, as `oci-wasm` has it: what it pushes hookbox pulls and adds, and what hookbox pushes it pulls.
#![expect(clippy::unwrap_used, clippy::disallowed_methods, reason = "tests and their helpers")]

#[path = "../../host/registry/tests/stock/tools.rs"]
#[expect(dead_code, reason = "other tests use more of it")]
mod tools;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use oci_client::{
    Client, Reference,
    client::{ClientConfig, ClientProtocol},
    secrets::RegistryAuth,
};
use oci_wasm::{WasmClient, WasmConfig};
use tools::Registry;

/// A home folder with a plugin in it.
struct Bed(tempfile::TempDir);

impl Bed {
    fn new() -> Self {
        let bed = Self(tempfile::tempdir().unwrap());
        fs::copy(target_folder().join("plugins/find-text.wasm"), bed.join_path("guard.wasm")).unwrap();
        let manifest = "name = \"acme/guard\"\nversion = \"1.2.0\"\nseq = 1\nevents = [\"tool.before\"]\n";
        fs::write(bed.join_path("plugin.toml"), manifest).unwrap();
        bed.run_hookbox(&["plugin", "manifest", "guard.wasm", "plugin.toml"]);
        bed
    }

    fn join_path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn plugin(&self) -> Vec<u8> {
        fs::read(self.join_path("guard.wasm")).unwrap()
    }

    /// What must succeed; what it said.
    fn run_hookbox(&self, words: &[&str]) -> String {
        let mut command = Command::new(target_folder().join("debug/hookbox"));
        let command = command.args(words).current_dir(self.0.path()).env_clear().env("HOME", self.0.path());
        let output = command.env("PATH", "/usr/bin:/bin").output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }
}

fn target_folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap()
}

fn create_client(registry: &Registry) -> WasmClient {
    // Whoever was first has installed it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let protocol = ClientProtocol::HttpsExcept(vec![registry.address.clone()]);
    WasmClient::new(Client::new(ClientConfig { protocol, ..ClientConfig::default() }))
}

#[tokio::test]
async fn what_hookbox_pushes_is_a_component_with_its_statement_for_oci_wasm() {
    let (bed, registry) = (Bed::new(), Registry::start());
    let place = registry.name_repository("acme/guard:1.2.0");
    bed.run_hookbox(&["plugin", "push", "guard.wasm", &format!("oci://{place}"), "--unsigned"]);
    let (client, reference): (_, Reference) = (create_client(&registry), place.parse().unwrap());
    let pulled = client.pull(&reference, &RegistryAuth::Anonymous).await.unwrap();
    assert_eq!(pulled.layers[0].data, bed.plugin());
    let (_, config, _) = client.pull_manifest_and_config(&reference, &RegistryAuth::Anonymous).await.unwrap();
    let exports = config.component.unwrap().exports;
    assert!(exports.iter().any(|export| export == "handle"), "{exports:?}");
}

#[tokio::test]
async fn what_oci_wasm_pushes_is_pulled_and_added() {
    let (bed, registry) = (Bed::new(), Registry::start());
    let place = registry.name_repository("acme/guard:1.2.0");
    let (config, layer) = WasmConfig::from_raw_component(bed.plugin(), None).unwrap();
    let reference: Reference = place.parse().unwrap();
    create_client(&registry).push(&reference, &RegistryAuth::Anonymous, layer, config, None).await.unwrap();
    let source = format!("oci://{place}");
    fs::create_dir(bed.join_path("back")).unwrap();
    bed.run_hookbox(&["plugin", "pull", &source, "--into", "back"]);
    assert_eq!(fs::read(bed.join_path("back/guard.wasm")).unwrap(), bed.plugin());
    let added = bed.run_hookbox(&["plugin", "add", &source, "--unsigned", "--yes"]);
    assert!(added.contains("added `guard`"), "{added}");
}
