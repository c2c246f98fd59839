//! Git as a carrier: settings that hold for one command, and where it takes them from.

use crate::support::all;

#[test]
fn a_setting_for_one_command_is_a_setting() {
    all(
        "deny hook-config",
        &[
            "git -c core.hooksPath=/tmp/x commit",
            "git clone -c core.hooksPath=/dev/null https://x.example/y",
            "git -ccore.hookspath=x commit",
            "git -C sub -c CORE.HOOKSPATH=x commit",
            "git -c core.fsmonitor=./x status",
            "git -c core.attributesFile=x status",
            "git -c include.path=../x status",
            "git -c includeIf.onbranch:main.path=x status",
            "git -c init.templateDir=x init",
            "git --config-env=core.hooksPath=X commit",
            "git --config-env core.fsmonitor=X status",
            "git clone -c core.hooksPath=x https://x.example/y",
            "git clone --config core.fsmonitor=./x https://x.example/y",
            "git init --template=/tmp/x",
            "git init --template /tmp/x sub",
            "git clone --template=x https://x.example/y",
            "GIT_TEMPLATE_DIR=/tmp/x git init",
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/tmp/x git commit",
            "export GIT_CONFIG_KEY_0=core.fsmonitor; git status",
            "env GIT_CONFIG_KEY_0=core.hooksPath git status",
            "GIT_CONFIG_PARAMETERS=\"'core.hooksPath=x'\" git commit",
            "GIT_CONFIG_GLOBAL=/tmp/x git commit",
            "GIT_CONFIG_SYSTEM=x git commit",
            "GIT_EXEC_PATH=/tmp/x git status",
            "git --exec-path=/tmp/x status",
            "git config --add core.hooksPath x",
            "git config --replace-all core.hooksPath x",
            "git config core.hooksPath ''",
            "git config set --global core.hooksPath x",
            "git config --rename-section core x",
            "git config --remove-section core",
        ],
    );
    all(
        "ask git-command",
        &[
            "git -c alias.x='!make' x",
            "git -c core.sshCommand=./x fetch",
            "git -c core.editor=./x commit",
            "git -c core.pager=./x log",
            "git -c diff.x.textconv=./x diff",
            "git -c filter.x.smudge=./x checkout",
            "git -c credential.helper=./x fetch",
            "git -c credential.helper='!./x' fetch",
            "git -c gpg.program=./x commit -S",
            "git -c sequence.editor=./x rebase -i",
            "git -c protocol.ext.allow=always clone 'ext::sh -c x%' y",
            "git config core.sshCommand ./x",
            "git config credential.helper '!f() { x; }; f'",
            "git config uploadpack.packObjectsHook ./x",
        ],
    );
    all(
        "deny rm-root",
        &[
            "GIT_SSH_COMMAND='rm -rf /' git fetch",
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.x GIT_CONFIG_VALUE_0='!rm -rf /' git x",
            "git clone 'ext::rm -rf /' x",
            "git clone -u 'rm -rf /' h:x",
            "git fetch --upload-pack='rm -rf /' h:x",
            "git grep -O'rm -rf /' x",
            "git grep --open-files-in-pager='rm -rf /' x",
            "git difftool -x 'rm -rf /'",
            "GIT_EXTERNAL_DIFF='rm -rf /' git diff",
        ],
    );
}

#[test]
fn everyday_settings_for_one_command_are_free() {
    all(
        "none",
        &[
            "git -c user.name=x -c user.email=x@x commit -m x",
            "git -c color.ui=always diff",
            "git -c core.pager=cat log",
            "git -c core.pager= log",
            "git -c core.editor=true rebase --continue",
            "git -c core.editor=: rebase --continue",
            "git -c sequence.editor=: rebase -i HEAD~2",
            "git -c core.autocrlf=false checkout x",
            "git -c core.fsmonitor=false status",
            "git -c protocol.file.allow=always submodule update",
            "git -c credential.helper= fetch",
            "git -c http.extraheader=x fetch",
            "git -c commit.gpgsign=false commit -m x",
            "git -c advice.detachedHead=false checkout x",
            "git init --template=",
            "git -c core.hooksPath=/dev/null commit -m x",
            "git -c credential.helper= -c credential.helper='!gh auth git-credential' fetch",
            "git init",
            "git clone https://x.example/y",
            "GIT_CONFIG_GLOBAL=/dev/null git status",
            "GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_SYSTEM=/dev/null git status",
            "GIT_SSH_COMMAND='ssh -i key -o IdentitiesOnly=yes' git fetch",
            "git config credential.helper store",
            "git config core.editor vim",
            "git --exec-path",
        ],
    );
}

#[test]
fn a_setting_out_of_a_variable_is_a_setting() {
    all(
        "ask git-discard",
        &[
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=alias.st GIT_CONFIG_VALUE_0='reset --hard' git st",
            "GIT_CONFIG_PARAMETERS=\"'alias.st=reset --hard'\" git st",
            "GIT_CONFIG_PARAMETERS=\"'alias.st'='reset --hard'\" git st",
            "export GIT_CONFIG_COUNT=2 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=x \
             GIT_CONFIG_KEY_1=clean.requireForce GIT_CONFIG_VALUE_1=false; git clean",
        ],
    );
    all(
        "none",
        &[
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*' git status",
            "GIT_CONFIG_PARAMETERS=\"'user.name=x'\" git commit -m x",
        ],
    );
}
