//! Untrusted projects in real clients: abilities of their hooks before they are trusted, once they are trusted, and after a change; and
//! restrictions of the model.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, ensure};

use super::{
    client::Client,
    home::Home,
    leftovers,
    model::{Model, Script},
    package,
    session::{MAX_WAIT, run_client},
};
use xtask::project::Project;

const PAGE: &str = "docs/internals/transcripts/untrusted-project-in-clients.md";
const BEGINNING: &str = "\
# A stranger's project, in real clients

[untrusted-project.md](../../guide/transcripts/untrusted-project.md) shows hookbox's output. This page shows its effects: `cargo xtask clients --untrusted`
writes it. Each client comes from its registry, gets a fresh home in which `hookbox setup --yes` was run, and opens a project with two hooks
that nobody has trusted: a component that denies commands with a certain word, and a script that leaves a file behind. The model says one
command a session, and its effects are seen from outside, by the files.

| column | the model's command, and what is seen |
|---|---|
| refused | `echo loud > refused.txt`, which the component denies: the file is not there. Without hookbox it was |
| script waits | the script has not run by then |
| own files | `echo '# mine' >> ~/.config/hookbox/hooks.toml`: the file is as it was |
| no trust | `hookbox trust mark; echo ran > after.txt`: refused as a whole |
| confined | `echo in > inside.txt; echo out > ~/outside.txt`, which a hook of the user confines: what is inside the project is written, and nothing else. *asked* where the agent does not surely run a changed command: nobody is there to say yes, and nothing is written |
| trusted | `hookbox trust mark` was said at a terminal: the script runs, and so does the command |
| changed | a line was added to the script: the command runs, and the script does not |
";
/// The columns, in the order of [`ClientObservations::format_cells`].
const TITLES: [&str; 7] =
    ["refused", "script waits", "own files", "no trust", "confined", "trusted", "changed"];
/// The hooks that come with the project.
const HOOKS: &str = "\
[[hook]]
name = \"no-loud\"
on = \"tool.before\"
tool = { class = \"shell\" }
wasm = { path = \"no-loud.wasm\" }
config = { deny = [\"refused.txt\"] }

[[hook]]
name = \"mark\"
on = \"tool.before\"
tool = { class = \"shell\" }
shell = { argv = [\"sh\", \"scripts/mark.sh\"] }
";
/// A hook of the user's own, as long as a command is to be confined.
const CONFINES: &str = "
[[hook]]
name = \"confines\"
on = \"tool.before\"
tool = { class = \"shell\" }
shell = { argv = [\"/bin/echo\", \"{\\\"confine\\\":\\\"project\\\"}\"] }
";
/// Clients that are known to run a command as a hook rewrote it: `docs/reference/agents/README.md`.
const REWRITES: [&str; 5] = ["claude-code", "codex", "gemini-cli", "copilot", "opencode"];

/// Has each of the clients open the project. The page is written only if all clients were there.
pub(super) fn run(project: &Project, clients: &[&'static Client], are_all: bool) -> Result<()> {
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for client in clients {
        println!("\n{} {}", client.agent, client.package.version());
        let seen = Visit::begin_visit(project, client).and_then(|visit| visit.see());
        let (cells, is_well) = match &seen {
            Ok(seen) => (seen.format_cells(client), seen.is_well(client)),
            Err(error) => {
                println!("{error:#}");
                (TITLES.map(|_| "not seen"), false)
            }
        };
        rows.push(format!("| {} | {} | {} |\n", client.agent, client.package.version(), cells.join(" | ")));
        failed.extend((!is_well).then_some(client.agent));
    }
    let head =
        format!("\n| agent | version | {} |\n|{}\n", TITLES.join(" | "), "---|".repeat(TITLES.len() + 2));
    let page = BEGINNING.to_owned() + &head + &rows.concat();
    println!("\n{page}");
    ensure!(failed.is_empty(), "not as it should be: {}", failed.join(", "));
    if are_all {
        let file = project.root.join(PAGE);
        fs::write(&file, page).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(())
}

/// Observations of one client.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a column")]
struct ClientObservations {
    refused: bool,
    script_waits: bool,
    own_files_kept: bool,
    no_trust: bool,
    /// True if a file was written inside the project, and outside of it.
    confined: (bool, bool),
    trusted: bool,
    changed: bool,
}

impl ClientObservations {
    fn format_cells(self, client: &Client) -> [&'static str; TITLES.len()] {
        let word = |is_so: bool| if is_so { "yes" } else { "no" };
        let confined = match self.confined {
            (true, false) => "yes",
            // A command that cannot be rewritten is asked about, and without a user the answer is no.
            (false, false) if !rewrites_input(client) => "asked",
            _ => "no",
        };
        let Self { refused, script_waits, own_files_kept, no_trust, trusted, changed, .. } = self;
        let [refused, script_waits, own_files, no_trust] =
            [refused, script_waits, own_files_kept, no_trust].map(word);
        [refused, script_waits, own_files, no_trust, confined, word(trusted), word(changed)]
    }

    fn is_well(self, client: &Client) -> bool {
        let confined = if rewrites_input(client) { "yes" } else { "asked" };
        self.format_cells(client) == ["yes", "yes", "yes", "yes", confined, "yes", "yes"]
    }
}

fn rewrites_input(client: &Client) -> bool {
    REWRITES.contains(&client.agent)
}

/// A client in the project, from before hookbox is there.
struct Visit<'a> {
    client: &'a Client,
    home: Home,
    model: Model,
    /// File for the clients' output.
    log: PathBuf,
}

impl<'a> Visit<'a> {
    fn begin_visit(project: &Project, client: &'a Client) -> Result<Self> {
        let folder = project.target.join("clients").join(client.agent);
        let programs = package::make_ready(client, &folder)?;
        let model = Model::serve_script(Script { shell: client.shell, commands: Vec::new() })?;
        let home = Home::create_for(project, client, &folder.join("home"), programs, &model.url())?;
        let visit = Self { client, home, model, log: folder.join("strangers.txt") };
        let hooks = visit.home.project().join(".hookbox");
        fs::create_dir_all(&hooks)?;
        fs::write(hooks.join("hooks.toml"), HOOKS)?;
        let component = project.target.join("share/hookbox/plugins/find-text.wasm");
        fs::copy(component, hooks.join("no-loud.wasm"))?;
        fs::create_dir_all(visit.home.project().join("scripts"))?;
        fs::write(visit.script(), format!("echo ran >> '{}'\n", visit.mark().display()))?;
        Ok(visit)
    }

    fn see(&self) -> Result<ClientObservations> {
        const LOUD: &str = "echo loud > refused.txt";
        let refused = self.home.project().join("refused.txt");
        self.run_command(LOUD)?;
        // A client that runs nothing at all would seem to obey.
        ensure!(refused.exists(), "without hookbox the command does not run either: {}", self.log.display());
        fs::remove_file(&refused)?;
        self.run_hookbox(&["setup", "--yes"])?;
        self.run_command(LOUD)?;
        let (refused, script_waits) = (!refused.exists(), !self.mark().exists());
        let (own_files_kept, no_trust) = (self.keeps_own_files()?, self.refuses_to_trust()?);
        let confined = self.confines()?;
        let trusted = self.runs_what_is_trusted()?;
        let changed = self.catches_what_changed()?;
        Ok(ClientObservations { refused, script_waits, own_files_kept, no_trust, confined, trusted, changed })
    }

    fn keeps_own_files(&self) -> Result<bool> {
        let file = self.own_file();
        let before = fs::read(&file)?;
        self.run_command("echo '# mine' >> ~/.config/hookbox/hooks.toml")?;
        Ok(fs::read(&file)? == before)
    }

    fn refuses_to_trust(&self) -> Result<bool> {
        self.run_command("hookbox trust mark; echo ran > after.txt")?;
        Ok(!self.home.project().join("after.txt").exists())
    }

    fn confines(&self) -> Result<(bool, bool)> {
        let file = self.own_file();
        let before = fs::read_to_string(&file)?;
        fs::write(&file, before.clone() + CONFINES)?;
        self.run_command("echo in > inside.txt; echo out > ~/outside.txt")?;
        // The later sessions are not confined.
        fs::write(&file, before)?;
        Ok((self.home.project().join("inside.txt").exists(), self.home.folder.join("outside.txt").exists()))
    }

    fn runs_what_is_trusted(&self) -> Result<bool> {
        self.trusts()?;
        self.run_command("echo again > again.txt")?;
        Ok(self.mark().exists() && self.home.project().join("again.txt").exists())
    }

    fn catches_what_changed(&self) -> Result<bool> {
        let text = fs::read_to_string(self.script())?;
        fs::write(self.script(), text + "echo more\n")?;
        fs::remove_file(self.mark())?;
        self.run_command("echo more > more.txt")?;
        // Only the changed script has lost its trust; the command itself runs.
        Ok(!self.mark().exists() && self.home.project().join("more.txt").exists())
    }

    /// Runs a session in which the model calls one command.
    fn run_command(&self, command: &str) -> Result<()> {
        self.model.begin_anew(vec![command.to_owned()]);
        run_client(self.client, &self.home, &self.model, &self.log)?;
        leftovers::end_all()?;
        let tool = self.client.shell.tool;
        // Without the tool no command runs, and the client would seem to obey.
        let offered = self.model.seen().tools;
        ensure!(
            offered.iter().any(|name| name == tool),
            "the model was never offered the tool {tool}, but {offered:?}; what the client said is in {}",
            self.log.display()
        );
        Ok(())
    }

    /// Types the user's answer at a terminal, which `script` makes.
    fn trusts(&self) -> Result<()> {
        let line = "printf 'y\\n' | script --quiet --return --command 'hookbox trust mark' /dev/null";
        let log = self.log.with_file_name("trust.txt");
        let ended = self.home.create_process("sh").args(["-c", line]).run_recorded(&log, MAX_WAIT)?;
        ensure!(ended.success(), "`hookbox trust mark` ends with {ended}: {}", log.display());
        Ok(())
    }

    fn run_hookbox(&self, words: &[&str]) -> Result<()> {
        let log = self.log.with_file_name("setup.txt");
        let ended = self.home.create_process("hookbox").args(words).run_recorded(&log, MAX_WAIT)?;
        let is_well = ended.success() || self.client.by_hand.is_some();
        ensure!(is_well, "`hookbox {}` ends with {ended}: {}", words.join(" "), log.display());
        Ok(())
    }

    fn script(&self) -> PathBuf {
        self.home.project().join("scripts/mark.sh")
    }

    /// Returns the file that the script creates.
    fn mark(&self) -> PathBuf {
        self.home.folder.join("script-ran")
    }

    fn own_file(&self) -> PathBuf {
        self.home.folder.join(".config/hookbox/hooks.toml")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::ALL;

    const WELL: ClientObservations = ClientObservations {
        refused: true,
        script_waits: true,
        own_files_kept: true,
        no_trust: true,
        confined: (true, false),
        trusted: true,
        changed: true,
    };

    fn find_client(agent: &str) -> &'static Client {
        ALL.iter().find(|client| client.agent == agent).unwrap()
    }

    #[test]
    fn a_client_passes_only_if_all_was_seen() {
        assert!(WELL.is_well(find_client("codex")));
        for seen in [
            ClientObservations { refused: false, ..WELL },
            ClientObservations { script_waits: false, ..WELL },
            ClientObservations { own_files_kept: false, ..WELL },
            ClientObservations { no_trust: false, ..WELL },
            ClientObservations { confined: (true, true), ..WELL },
            ClientObservations { confined: (false, false), ..WELL },
            ClientObservations { trusted: false, ..WELL },
            ClientObservations { changed: false, ..WELL },
        ] {
            assert!(!seen.is_well(find_client("codex")), "{seen:?}");
        }
    }

    #[test]
    fn where_nothing_can_be_rewritten_a_command_is_asked_about() {
        let asked = ClientObservations { confined: (false, false), ..WELL };
        assert!(asked.is_well(find_client("droid")));
        assert_eq!(asked.format_cells(find_client("droid"))[4], "asked");
        assert!(!ClientObservations { confined: (true, true), ..WELL }.is_well(find_client("droid")));
    }
}
