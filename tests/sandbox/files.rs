//! What a guest can do with files: what its grant says, and nothing by any other way. As a component and as a core module.

use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink},
    path::{Path, PathBuf},
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::SystemTime,
};

use hookbox::{
    HookSpec, Target,
    hook::WasmSpec,
    model::{FailureCode, Folder, Grants, HookReport, Status},
};

use crate::{Bed, build_program, dispatch_event, expect_failure, guests, tool_event};

/// The errors of WASI, as the guest tells them.
pub(crate) const NONE: &str = "none";
pub(crate) const BAD_DESCRIPTOR: &str = "badf";
const ACCESS: &str = "access";
const NOT_THERE: &str = "noent";
const LOOP: &str = "loop";
const INVALID: &str = "inval";
const NOT_A_FOLDER: &str = "notdir";
pub(crate) const NOT_PERMITTED: &str = "perm";
const READ_ONLY: &str = "rofs";

/// Where a guest works: `project` with a file in it, and a canary beside it.
pub(crate) struct Place {
    pub(crate) bed: Bed,
    /// The bytes of a guest of this name.
    plugin: fn(&str) -> Vec<u8>,
}

impl Place {
    fn create_for(plugin: fn(&str) -> Vec<u8>) -> Self {
        let place = Self { bed: Bed::new(), plugin };
        fs::create_dir(place.project()).unwrap();
        fs::write(place.project().join("file"), "inside").unwrap();
        fs::write(place.bed.join_path("canary"), "secret").unwrap();
        place
    }

    /// A place for a guest that is a component, and one for the same guest as a core module.
    pub(crate) fn create_both() -> [Self; 2] {
        [Self::create_for(build_program), Self::create_for(guests::build_component)]
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.bed.join_path("project")
    }

    /// What a guest with these grants comes to.
    pub(crate) fn run_task(&self, grants: Grants, task: &str) -> HookReport {
        self.report_of("program_files", grants, task)
    }

    fn report_of(&self, guest: &str, grants: Grants, task: &str) -> HookReport {
        let file = self.bed.write_file("files.wasm", &(self.plugin)(guest));
        let grants = Grants { env: vec!["T".to_owned()], ..grants };
        let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(file) });
        let spec = HookSpec { target, ..self.bed.create_gate(guest) };
        let environment = [("T", task), ("TOKEN", "secret")].into_iter().collect();
        let mut event = tool_event();
        event.cwd = self.project().display().to_string();
        dispatch_event(&self.bed.builder().environment(environment).hooks([spec]).build(), event)
            .reports
            .remove(0)
    }

    /// The error that a task ends with, and what was read.
    pub(crate) fn find_task_result(&self, grants: Grants, task: &str) -> (&'static str, String) {
        self.told_by("program_files", grants, task)
    }

    fn told_by(&self, guest: &str, grants: Grants, task: &str) -> (&'static str, String) {
        let report = self.report_of(guest, grants, task);
        assert!(matches!(report.status, Status::Answered(_)), "{task}: {report:?}");
        let said = &report.log[0].message;
        let error = match said.as_bytes()[0] - b'0' {
            0 => NONE,
            2 => ACCESS,
            8 => BAD_DESCRIPTOR,
            28 => INVALID,
            32 => LOOP,
            44 => NOT_THERE,
            31 => "isdir",
            54 => NOT_A_FOLDER,
            63 => NOT_PERMITTED,
            69 => READ_ONLY,
            other => panic!("{task} ended with {other}"),
        };
        (error, said[1..].to_owned())
    }

    pub(crate) fn run_reading(&self, task: &str) -> (&'static str, String) {
        self.find_task_result(Grants { read: vec![Folder::Project], ..Grants::default() }, task)
    }

    pub(crate) fn run_writing(&self, task: &str) -> &'static str {
        self.find_task_result(grant_write(), task).0
    }

    fn canary_is_untouched(&self) {
        assert_eq!(fs::read_to_string(self.bed.join_path("canary")).unwrap(), "secret");
    }
}

/// The project, to be changed.
pub(crate) fn grant_write() -> Grants {
    Grants { write: vec![Folder::Project], ..Grants::default() }
}

#[test]
fn what_is_granted_for_reading_is_read_and_not_changed() {
    for place in Place::create_both() {
        assert_eq!(place.run_reading("rfile"), (NONE, "inside".to_owned()));
        for task in ["wfile", "wnew", "knew", "dfile", "mfile", "hfile", "lnew"] {
            assert!([NOT_PERMITTED, READ_ONLY].contains(&place.run_reading(task).0), "{task}");
        }
        assert_eq!(fs::read_to_string(place.project().join("file")).unwrap(), "inside");
        assert_eq!(fs::read_dir(place.project()).unwrap().count(), 1);
    }
}

#[test]
fn what_is_granted_for_writing_is_read_and_changed() {
    for place in Place::create_both() {
        assert_eq!(place.run_writing("wfile"), NONE);
        assert_eq!(fs::read_to_string(place.project().join("file")).unwrap(), "x");
        assert_eq!(place.run_writing("ksub"), NONE);
        assert_eq!(place.run_writing("wsub/new"), NONE);
        assert_eq!(place.run_writing("msub/new"), NONE);
        assert_eq!(fs::read_to_string(place.project().join("moved")).unwrap(), "x");
        assert_eq!(place.run_writing("dmoved"), NONE);
        assert!(!place.project().join("moved").exists());
    }
}

#[test]
fn no_path_leads_out_of_a_granted_folder() {
    for place in Place::create_both() {
        let project = place.project();
        symlink("../canary", project.join("link")).unwrap();
        symlink("..", project.join("up")).unwrap();
        symlink("/etc", project.join("absolute")).unwrap();
        symlink("again", project.join("again")).unwrap();
        symlink("link", project.join("chain")).unwrap();
        let canary = place.bed.join_path("canary").display().to_string();
        for path in [
            "../canary",
            "./../canary",
            "file/../../canary",
            "a/../../canary",
            ".//..//canary",
            "link",
            "link/",
            "chain",
            "up/canary",
            "up/../canary",
            "absolute/passwd",
            "absolute/../etc/passwd",
            "/etc/passwd",
            &canary,
            "again",
            "up/",
            "..",
            "../",
            "C:\\canary",
            "..\\canary",
            "file/",
            "",
        ] {
            let (error, read) = place.run_reading(&format!("r{path}"));
            assert_ne!(error, NONE, "{path:?}");
            assert_eq!(read, "", "{path:?}");
            let _ = place.run_writing(&format!("w{path}"));
            let _ = place.run_writing(&format!("d{path}"));
            place.canary_is_untouched();
        }
    }
}

#[test]
fn a_guest_cannot_learn_which_files_exist_outside() {
    for place in Place::create_both() {
        fs::create_dir(place.bed.join_path("there")).unwrap();
        fs::create_dir(place.project().join("sub")).unwrap();
        symlink("..", place.project().join("up")).unwrap();
        let outside = place.bed.join_path("").display().to_string();
        for way in ["..", "sub/../..", "up", outside.trim_end_matches('/')] {
            for task in ["w", "k", "d", "m"] {
                let [there, gone] =
                    ["there", "gone"].map(|name| place.run_writing(&format!("{task}{way}/{name}/x")));
                assert_eq!(there, gone, "{task} {way}");
            }
            let [there, gone] = ["there", "gone"].map(|name| place.run_reading(&format!("r{way}/{name}/x")));
            assert_eq!(there, gone, "{way}");
        }
    }
}

#[test]
fn a_guest_makes_no_links_and_moves_no_folders() {
    for place in Place::create_both() {
        fs::create_dir(place.project().join("folder")).unwrap();
        symlink("file", place.project().join("link")).unwrap();
        for task in ["hfile", "lnew", "mfolder", "mlink"] {
            assert_eq!(place.run_writing(task), NOT_PERMITTED, "{task}");
        }
    }
}

#[test]
fn what_configures_hooks_and_agents_is_never_changed() {
    for place in Place::create_both() {
        let project = place.project();
        fs::create_dir_all(project.join("sub/.claude")).unwrap();
        fs::write(project.join("sub/.claude/settings.json"), "own").unwrap();
        fs::create_dir(project.join(".git")).unwrap();
        fs::write(project.join("CLAUDE.md"), "own").unwrap();
        symlink("sub/.claude", project.join("innocent")).unwrap();
        symlink("CLAUDE.md", project.join("notes")).unwrap();
        // Links to what is not there yet.
        symlink("AGENTS.md", project.join("log")).unwrap();
        symlink("log", project.join("log2")).unwrap();
        symlink("sub/.claude/later", project.join("log3")).unwrap();
        for task in [
            "wlog",
            "wlog2",
            "wlog3",
            "wlog3/",
            "k.hookbox",
            "k.hoo\u{212a}box",
            "k.config",
            "w.claude.json",
            "k.codeium",
            "w.bashrc",
            "w.hookbox",
            "k.claude",
            "k.CLAUDE",
            "wsub/.claude/settings.json",
            "wsub/.claude/new",
            "wsub/../sub/.claude/new",
            "w.git/config",
            "w.mcp.json",
            "wCLAUDE.md",
            "wclaude.md",
            "wnotes",
            "dCLAUDE.md",
            "mCLAUDE.md",
            "winnocent/settings.json",
            "winnocent/new",
            "dinnocent/settings.json",
            "minnocent/settings.json",
        ] {
            assert_eq!(place.run_writing(task), NOT_PERMITTED, "{task}");
        }
        let refused = place.run_task(grant_write(), "winnocent/new").refused.remove(0).to_string();
        let project_path = project.canonicalize().unwrap();
        assert_eq!(
            refused.replace(&project_path.display().to_string(), "[PROJECT]"),
            "fs.write [PROJECT]/sub/.claude/new: what configures hooks or agents is never changed by one"
        );
        for file in ["sub/.claude/settings.json", "CLAUDE.md"] {
            assert_eq!(fs::read_to_string(project.join(file)).unwrap(), "own");
        }
        assert_eq!(fs::read_dir(project.join("sub/.claude")).unwrap().count(), 1);
        assert!(!project.join("AGENTS.md").exists());
    }
}

#[test]
fn nor_are_its_times_set_or_its_folders_removed() {
    for place in Place::create_both() {
        let project = place.project();
        fs::create_dir_all(project.join("sub/.git")).unwrap();
        fs::write(project.join("CLAUDE.md"), "own").unwrap();
        symlink("CLAUDE.md", project.join("notes")).unwrap();
        let told = |task| place.told_by("program_touches", grant_write(), task);
        for task in ["pCLAUDE.md", "pnotes", "psub/.git", "fCLAUDE.md", "fnotes", "xsub/.git"] {
            assert_eq!(told(task), (NOT_PERMITTED, String::new()), "{task}");
        }
        // To what makes components of programs, an open folder is no file.
        assert!([NOT_PERMITTED, BAD_DESCRIPTOR].contains(&told("fsub/.git").0));
        // Catalogue H10: a file system takes it, or says that it does not.
        assert!([NONE, INVALID].contains(&told("zfile").0));
        for task in ["pfile", "ffile", "psub"] {
            assert_eq!(told(task), (NONE, String::new()), "{task}");
            let path = project.join(&task[1..]);
            assert_eq!(fs::metadata(&path).unwrap().mtime(), 0, "{task}");
            fs::File::open(path).unwrap().set_modified(SystemTime::now()).unwrap();
        }
        fs::remove_dir(project.join("sub/.git")).unwrap();
        assert_eq!(told("xsub").0, NONE);
        assert_eq!(told("ynotes"), (NONE, "CLAUDE.md".to_owned()));
    }
}

#[test]
fn a_number_that_is_given_to_another_folder_stands_for_that_alone() {
    for place in Place::create_both() {
        fs::create_dir(place.project().join("sub")).unwrap();
        fs::create_dir(place.project().join(".git")).unwrap();
        let log = place.report_of("program_renumbers", grant_write(), "").log;
        assert_eq!(log[0].message, "o80o0", "not permitted, bad descriptor, done, not permitted, done");
        assert_eq!(fs::read_dir(place.project().join(".git")).unwrap().count(), 0);
        for made in ["sub/new", "new"] {
            assert!(place.project().join(made).is_dir(), "{made}");
        }
    }
}

#[test]
fn a_file_that_is_not_a_regular_file_is_not_opened() {
    for place in Place::create_both() {
        rustix::fs::mknodat(
            rustix::fs::CWD,
            place.project().join("fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        assert_eq!(place.run_reading("rfifo").0, NOT_PERMITTED);
        assert_eq!(place.run_writing("wfifo"), NOT_PERMITTED);
    }
}

#[test]
fn a_folder_with_more_entries_than_a_guest_may_list_is_not_listed() {
    for place in Place::create_both() {
        let listed = || {
            let grants = Grants { read: vec![Folder::Project], ..Grants::default() };
            place.report_of("program_lists", grants, "").log.remove(0).message
        };
        assert_eq!(listed(), "0");
        (0..20_000).for_each(|at| drop(fs::File::create(place.project().join(at.to_string())).unwrap()));
        assert_eq!(listed(), "`", "the folder has one entry too many: out of memory");
    }
}

/// Looks at a path that is swapped, if one of its states is hard to meet.
const MOST_SWAPS: usize = 2_000;

#[test]
fn a_path_that_is_swapped_for_a_link_all_the_time_never_leads_out() {
    for place in Place::create_both() {
        let (inside, outside) = (place.project().join("door"), place.bed.join_path("outside"));
        fs::create_dir(&inside).unwrap();
        fs::write(inside.join("canary"), "inside").unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("canary"), "secret").unwrap();
        symlink(&outside, place.project().join("link")).unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    exchange_files(&inside, &place.project().join("link"));
                }
            });
            let (mut opened, mut refused) = (0, 0);
            for _ in 0..MOST_SWAPS {
                let (error, read) = place.run_reading("rdoor/canary");
                assert!(["", "inside", "x"].contains(&read.as_str()), "{read}");
                place.run_writing("wdoor/canary");
                *(if error == NONE { &mut opened } else { &mut refused }) += 1;
                if opened >= 20 && refused >= 20 {
                    break;
                }
            }
            done.store(true, Ordering::Relaxed);
            assert!(opened > 0 && refused > 0, "both were met: {opened} opened, {refused} refused");
        });
        assert_eq!(fs::read_to_string(outside.join("canary")).unwrap(), "secret");
    }
}

fn exchange_files(one: &Path, other: &Path) {
    let (here, flags) = (rustix::fs::CWD, rustix::fs::RenameFlags::EXCHANGE);
    rustix::fs::renameat_with(here, one, here, other, flags).unwrap();
}

/// Makes `from` appear at `to` for this thread and those that it starts. Not for who may not do that: `None`.
#[cfg(target_os = "linux")]
fn bind_mount(from: &Path, to: &Path) -> Option<()> {
    use nix::{
        mount::{MsFlags, mount},
        sched::{CloneFlags, unshare},
    };
    let nothing: Option<&str> = None;
    unshare(CloneFlags::CLONE_NEWNS).ok()?;
    mount(nothing, "/", nothing, MsFlags::MS_REC | MsFlags::MS_PRIVATE, nothing).ok()?;
    mount(Some(from), to, nothing, MsFlags::MS_BIND, nothing).ok()
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_is_mounted_within_by_a_bind_mount_is_closed() {
    for place in Place::create_both() {
        let (outside, door) = (place.bed.join_path("outside"), place.project().join("door"));
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("canary"), "secret").unwrap();
        fs::create_dir(&door).unwrap();
        let look = || {
            if bind_mount(&outside, &door).is_none() {
                println!("not tried: only root can make a bind mount");
                return;
            }
            assert_eq!(fs::read_to_string(door.join("canary")).unwrap(), "secret", "the mount is there");
            let (error, read) = place.run_reading("rdoor/canary");
            assert_eq!((error, read.as_str()), (NOT_PERMITTED, ""));
            assert_eq!(place.run_writing("wdoor/canary"), NOT_PERMITTED);
        };
        thread::scope(|scope| scope.spawn(look).join().unwrap());
        assert_eq!(fs::read_to_string(outside.join("canary")).unwrap(), "secret");
    }
}

#[test]
fn a_file_of_a_tebibyte_is_read_up_to_the_memory_of_the_guest() {
    for place in Place::create_both() {
        fs::File::create(place.project().join("sparse")).unwrap().set_len(1 << 40).unwrap();
        let report = place.run_task(Grants { read: vec![Folder::Project], ..Grants::default() }, "rsparse");
        assert!(matches!(report.status, Status::Answered(_)), "{report:?}");
        assert_eq!(report.usage.log_dropped, 1, "what it read and wrote is longer than a log may be");
    }
}

#[test]
fn a_file_that_the_user_cannot_read_is_not_read() {
    for place in Place::create_both() {
        let file = place.project().join("file");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).unwrap();
        let readable = fs::read(&file).is_ok(); // as root
        assert_eq!(place.run_reading("rfile").0, if readable { NONE } else { ACCESS });
    }
}

#[test]
fn without_a_grant_there_is_no_folder() {
    for place in Place::create_both() {
        let report = place.run_task(Grants::default(), "rfile");
        assert_eq!(report.log[0].message, "8", "a bad descriptor: there is no first folder");
    }
}

#[test]
fn a_grant_of_a_file_is_refused_and_does_not_open_its_folder() {
    for place in Place::create_both() {
        let file = Folder::At(place.project().join("file"));
        let report = place.run_task(Grants { read: vec![file.clone()], ..Grants::default() }, "rfile");
        let failure = expect_failure(&report);
        assert_eq!(failure.code, FailureCode::Missing);
        let start = format!("`grant.fs.read` names {file}, which cannot be opened as a folder: ");
        assert!(failure.message.starts_with(&start), "{failure}");
    }
}

#[test]
fn a_grant_to_change_what_is_never_changed_is_refused() {
    for place in Place::create_both() {
        let folder = place.project().join(".config/data");
        fs::create_dir_all(&folder).unwrap();
        let grants = Grants { write: vec![Folder::At(folder.clone())], ..Grants::default() };
        let failure = expect_failure(&place.run_task(grants, "wfile"));
        assert_eq!(failure.code, FailureCode::Missing);
        assert!(failure.message.contains("nothing in it is changed by a hook"), "{failure}");
        let grants = Grants { read: vec![Folder::At(folder)], ..Grants::default() };
        assert_eq!(place.find_task_result(grants, "rfile").0, NOT_THERE);
    }
}

#[test]
fn neither_the_root_nor_the_files_of_the_kernel_are_ever_granted() {
    for place in Place::create_both() {
        for path in ["/", "/proc", "/proc/self", "/proc/self/root", "/sys", "/dev", "/dev/pts"] {
            for grants in [
                Grants { read: vec![Folder::At(path.into())], ..Grants::default() },
                Grants { write: vec![Folder::At(path.into())], ..Grants::default() },
            ] {
                assert_eq!(
                    expect_failure(&place.run_task(grants, "rself/environ")).code,
                    FailureCode::Missing,
                    "{path}"
                );
            }
            let mut event = tool_event();
            path.clone_into(&mut event.cwd);
            let file = place.bed.write_file("files.wasm", &(place.plugin)("program_files"));
            let grants =
                Grants { read: vec![Folder::Project], env: vec!["T".to_owned()], ..Grants::default() };
            let target = Target::Wasm(WasmSpec { grants, ..WasmSpec::new(file) });
            let environment = [("T", "rproc/self/environ")].into_iter().collect();
            let builder = place.bed.builder().environment(environment);
            let host = builder.hooks([HookSpec { target, ..place.bed.create_gate("program_files") }]).build();
            assert_eq!(dispatch_event(&host, event).reports[0].log[0].message, "8", "{path} is no project");
        }
    }
}
