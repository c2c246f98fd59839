//! Interoperability with third-party registries and tools, in both directions.
#![expect(clippy::unwrap_used, clippy::panic, reason = "tests and their helpers")]

mod tools;

use std::{collections::BTreeMap, fs, path::Path};

use bytes::Bytes;
use hookbox_registry::{
    Digest, Docker, Error, ErrorKind, Found, Limits, Listed, Package, Pick, Pulled, Reference, Registries,
    Release, Signed, layout,
};

use crate::tools::{Registry, oras_pull, run_skopeo};

/// Returns a signed release of this plugin; each number makes another component.
fn make_release(name: &str, number: u32) -> Release {
    let text = format!("(component (core module (memory {number})) (import \"a:b/c\" (instance)))");
    let signature = "-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n".to_owned();
    Release {
        component: Bytes::from(wat::parse_str(text).unwrap()),
        name: name.to_owned(),
        version: "1.2.0".to_owned(),
        annotations: BTreeMap::from([("org.opencontainers.image.licenses".to_owned(), "MIT".to_owned())]),
        signed: Signed {
            statement: Some(b"{\"not\": \"verified here\"}\n".to_vec()),
            signatures: vec![signature.clone(), signature],
        },
    }
}

fn make_package(releases: &[Release]) -> Package {
    Package::new(releases).unwrap()
}

fn wait_for<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn parse_reference(place: &str) -> Reference {
    Reference::parse(&format!("oci://{place}")).unwrap()
}

fn push_package(docker: Docker, place: &str, package: &Package, replace: bool) -> Result<(), Error> {
    wait_for(Registries::new(docker, Limits::default()).push(&parse_reference(place), package, replace))
}

fn find_content(docker: Docker, place: &str) -> Result<Found, Error> {
    wait_for(Registries::new(docker, Limits::default()).pull(&parse_reference(place)))
}

fn pull_plugin(place: &str) -> Pulled {
    expect_plugin(find_content(Docker::default(), place).unwrap())
}

fn expect_plugin(found: Found) -> Pulled {
    match found {
        Found::Plugin(pulled) => *pulled,
        Found::Pack(listed) => panic!("a pack: {listed:?}"),
    }
}

fn is_release(pulled: &Pulled, release: &Release, package: &Package) {
    assert_eq!(pulled.component, release.component);
    assert_eq!(pulled.signed, release.signed);
    assert_eq!(&pulled.manifest, package.digest());
}

/// Writes a layout as a caller of `layout::build_layout_files` does.
fn write_layout(folder: &Path, package: &Package) {
    let index = layout::index_of(folder).unwrap();
    let version = "1.2.0".parse().unwrap();
    for (path, content) in layout::build_files(index.as_deref(), package, &version, false).unwrap() {
        let file = folder.join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
}

#[test]
fn what_is_pushed_to_a_registry_is_pulled_by_version_by_digest_and_as_the_newest() {
    let registry = Registry::start();
    let (release, place) = (make_release("acme/guard", 1), registry.name_repository("acme/guard:1.2.0"));
    let package = make_package(std::slice::from_ref(&release));
    push_package(Docker::default(), &place, &package, false).unwrap();
    // The second time everything is there.
    push_package(Docker::default(), &place, &package, false).unwrap();
    for wanted in ["acme/guard:1.2.0", "acme/guard", &format!("acme/guard@{}", package.digest())] {
        is_release(&pull_plugin(&registry.name_repository(wanted)), &release, &package);
    }
    for nothing in ["acme/guard:1.3.0", "acme/other:1.2.0", "acme/other"] {
        let error = find_content(Docker::default(), &registry.name_repository(nothing)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
    }
}

#[test]
fn an_existing_version_is_replaced_only_on_request() {
    let registry = Registry::start();
    let (first, second) =
        (make_package(&[make_release("acme/guard", 1)]), make_package(&[make_release("acme/guard", 2)]));
    let place = registry.name_repository("acme/guard:1.2.0");
    push_package(Docker::default(), &place, &first, false).unwrap();
    let error = push_package(Docker::default(), &place, &second, false).unwrap_err();
    assert_eq!(
        (error.kind(), error.to_string()),
        (
            ErrorKind::Taken,
            format!(
                "`oci://{place}` exists with other content; push another version, or pass --replace: \
                 users of the old content are then warned that it moved"
            )
        )
    );
    assert_eq!(&pull_plugin(&place).manifest, first.digest());
    push_package(Docker::default(), &place, &second, true).unwrap();
    assert_eq!(&pull_plugin(&place).manifest, second.digest());
}

#[test]
fn a_registry_with_a_password_is_entered_with_that_of_docker() {
    let registry = Registry::with_password();
    let package = make_package(&[make_release("acme/guard", 1)]);
    let place = registry.name_repository("acme/guard:1.2.0");
    let stranger = push_package(Docker::default(), &place, &package, false).unwrap_err();
    let address = &registry.address;
    assert_eq!(
        stranger.to_string(),
        format!(
            "`{address}` requires a user name and a password for `acme/guard`; if it exists, run: docker login {address}"
        )
    );
    let ann = tempfile::tempdir().unwrap();
    // `ann:word`
    let config = format!("{{\"auths\": {{\"{address}\": {{\"auth\": \"YW5uOndvcmQ=\"}}}}}}");
    fs::write(ann.path().join("config.json"), &config).unwrap();
    let docker = || Docker { folder: Some(ann.path().to_owned()), path: Vec::new() };
    push_package(docker(), &place, &package, false).unwrap();
    assert_eq!(&expect_plugin(find_content(docker(), &place).unwrap()).manifest, package.digest());
    fs::write(ann.path().join("config.json"), config.replace("YW5uOndvcmQ=", "YW5uOndyb25n")).unwrap();
    assert_eq!(find_content(docker(), &place).unwrap_err().kind(), ErrorKind::Unauthorized);
}

#[test]
fn skopeo_copies_from_registry_to_folder_to_another_registry_and_everything_is_kept() {
    let (from, to, folder) = (Registry::start(), Registry::start(), tempfile::tempdir().unwrap());
    let release = make_release("acme/guard", 1);
    let package = make_package(std::slice::from_ref(&release));
    push_package(Docker::default(), &from.name_repository("acme/guard:1.2.0"), &package, false).unwrap();
    let (first, last) = (from.name_repository("acme/guard:1.2.0"), to.name_repository("copies/guard:1.2.0"));
    let between = format!("oci:{}:1.2.0", folder.path().display());
    run_skopeo(&["copy", "--src-tls-verify=false", &format!("docker://{first}"), &between]);
    run_skopeo(&["copy", "--dest-tls-verify=false", &between, &format!("docker://{last}")]);
    is_release(&pull_plugin(&last), &release, &package);
    let folder = layout::Layout::open(folder.path()).unwrap();
    for pick in
        [Pick::Newest, Pick::Version("1.2.0".parse().unwrap()), Pick::Digest(package.digest().clone())]
    {
        is_release(&expect_plugin(folder.pull(&pick).unwrap()), &release, &package);
    }
}

#[test]
fn skopeo_copies_a_pack_from_our_folder_to_a_registry() {
    let (registry, folder) = (Registry::start(), tempfile::tempdir().unwrap());
    let releases = [make_release("acme/guard", 1), make_release("acme/other", 2)];
    let pack = make_package(&releases);
    write_layout(folder.path(), &pack);
    let (from, to) =
        (format!("oci:{}:1.2.0", folder.path().display()), registry.name_repository("acme/pack:1.2.0"));
    run_skopeo(&["copy", "--all", "--dest-tls-verify=false", &from, &format!("docker://{to}")]);
    let Found::Pack(listed) = find_content(Docker::default(), &to).unwrap() else { panic!("one plugin") };
    let names: Vec<_> = listed.iter().map(|listed| listed.name.as_deref().unwrap()).collect();
    assert_eq!(names, ["guard", "other"]);
    for (Listed { manifest, .. }, release) in listed.iter().zip(&releases) {
        let pulled = pull_plugin(&registry.name_repository(&format!("acme/pack@{manifest}")));
        is_release(&pulled, release, &make_package(std::slice::from_ref(release)));
    }
    // Without a registry.
    let found = layout::Layout::open(folder.path()).unwrap().pull(&Pick::Newest).unwrap();
    assert!(matches!(found, Found::Pack(in_folder) if in_folder == listed));
}

#[test]
fn oras_pulls_the_component_by_its_name() {
    let (registry, folder) = (Registry::start(), tempfile::tempdir().unwrap());
    let release = make_release("acme/guard", 1);
    let place = registry.name_repository("acme/guard:1.2.0");
    push_package(Docker::default(), &place, &make_package(std::slice::from_ref(&release)), false).unwrap();
    oras_pull(&place, folder.path());
    let names: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["guard.wasm"]);
    let pulled = fs::read(folder.path().join("guard.wasm")).unwrap();
    assert_eq!(Digest::of_content(&pulled), Digest::of_content(&release.component));
}

#[test]
fn the_same_releases_make_the_same_manifest() {
    let again = || make_package(&[make_release("acme/guard", 1), make_release("acme/other", 2)]);
    assert_eq!(again().digest(), again().digest());
    assert_eq!(
        make_package(&[make_release("acme/guard", 1)]).digest().to_string(),
        "sha256:e0f007f0b4715745e03e8465836e099592265feee9e437c2524d5b89e987fbd8"
    );
}
