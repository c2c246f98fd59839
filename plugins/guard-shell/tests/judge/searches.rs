//! Patterns and searches that end at protected files.

use crate::support::all;

#[test]
fn a_pattern_that_ends_at_a_protected_file_is_that_file() {
    all(
        "deny hook-config",
        &[
            "rm ~/.config/*/hooks.toml",
            "rm ~/.config/h*/hooks.toml",
            "rm ~/.c*/h*/hooks.toml",
            "rm ~/.config/?ookbox/hooks.toml",
            "rm ~/.config/[h]*/hooks.*",
            "rm ~/.config/*/*.toml",
            "rm ~/.*/*/hooks.toml",
            "rm ~/.config/*/*",
            "rm -rf ~/.config/*/",
            "rm -rf ~/.c*",
            "shopt -s globstar; rm ~/**/hooks.toml",
            "rm ~/.config/**/hooks.toml",
            "rm ~/.config/{a,hookbox}/hooks.toml",
            "echo x > ~/.config/*/hooks.toml",
            "rm .git/*/pre-commit",
            "rm -f .git/h*/*",
            "rm .hook*/hooks.toml",
            "for f in ~/.config/*/hooks.toml; do rm \"$f\"; done",
            "for d in ~/.config/*; do rm \"$d/hooks.toml\"; done",
            "sed -i s/a/b/ ~/.config/*/hooks.toml",
        ],
    );
    all(
        "deny agent-config",
        &["rm .claude/s*", "rm ~/.c*/settings.json", "rm ~/.*/settings.json", "rm ~/.clau?e/*.json"],
    );
}

#[test]
fn a_search_that_ends_at_a_protected_file_finds_it() {
    all(
        "deny hook-config",
        &[
            "find ~ -name hooks.toml -delete",
            "find ~ -iname 'HOOKS.toml' -delete",
            "find ~ -name 'hooks.*' -delete",
            "find ~ -name '*.toml' -delete",
            "find ~/.config -name hooks.toml -exec rm {} \\;",
            "find ~ -path '*hookbox*' -delete",
            "find ~ -path '*/hookbox/*' -exec rm {} +",
            "find / -name hooks.toml -exec truncate -s 0 {} +",
            "find ~ -name hooks.toml | xargs rm",
            "find ~ -name hooks.toml -print0 | xargs -0 rm -f",
            "find ~ -name hooks.toml | while read f; do rm \"$f\"; done",
            "rm $(find ~ -name hooks.toml)",
            "for f in $(find ~/.config -name hooks.toml); do rm $f; done",
            "find ~ -type d -name hookbox -exec rm -rf {} +",
            "find ~ -regex '.*hooks.toml' -delete",
            "find ~ -mtime -1 -delete",
            "find . -name pre-commit -delete",
            "find .git -name 'pre-*' -delete",
            "find ~/.config -type f -delete",
            "find ~/.config/hookbox -name x -delete",
            "find ~ -name hooks.toml -exec cp x {} \\;",
            "fd hooks.toml ~ -x rm",
            "fd -H hooks.toml ~ --exec rm {}",
            "cd ~ && find . -name hooks.toml -delete",
        ],
    );
    all(
        "deny agent-config",
        &[
            "find ~ -name settings.json -delete",
            "find . -path './.claude/*' -delete",
            "find . -name settings.local.json -exec rm {} +",
            "find . -name .claude -exec rm -rf {} +",
            "find ~ -maxdepth 2 -name 'settings*' -exec sed -i s/a/b/ {} +",
        ],
    );
}

#[test]
fn a_listing_that_goes_to_a_remover_is_what_it_removes() {
    all(
        "deny hook-config",
        &[
            "ls ~/.config/hookbox/* | xargs rm",
            "ls -d ~/.config/hookbox/* | xargs rm -f",
            "ls -1 ~/.config/*/hooks.toml | xargs rm",
            "echo ~/.config/hookbox/* | xargs rm",
            "printf '%s\\n' ~/.config/hookbox/hooks.toml | xargs rm",
            "rm $(ls ~/.config/hookbox/*)",
            "ls ~/.config/hookbox/* | while read f; do rm $f; done",
            "cd ~/.config/hookbox && ls | xargs rm",
            "ls ~/.config/hookbox | xargs -I{} rm ~/.config/hookbox/{}",
            "ls .git/hooks/pre-commit | xargs rm",
            "ls ~/.config/hookbox/* | sort | xargs rm",
            "ls ~/.config/hookbox/* | head -1 | xargs rm",
            "ls ~/.config/hookbox/* | grep toml | xargs rm",
            "realpath ~/.config/hookbox/hooks.toml | xargs rm",
            "rm \"$(readlink -f ~/.config/hookbox/hooks.toml)\"",
            "rm $(dirname ~/.config/hookbox/hooks.toml)/*",
        ],
    );
}

#[test]
fn a_search_for_something_else_is_free() {
    all(
        "none",
        &[
            "find . -name '*.pyc' -delete",
            "find . -name __pycache__ -exec rm -rf {} +",
            "find . -type d -name node_modules -prune -exec rm -rf {} +",
            "find . -name '*.orig' -delete",
            "find . -name '*.json' -exec jq . {} \\;",
            "find . -name '*.toml' -exec grep x {} +",
            "find ~ -name hooks.toml",
            "find ~ -name '*.log' -delete",
            "find ~/.cache -mtime +30 -delete",
            "find src -name config.toml -exec cat {} +",
            "find build -type f -delete",
            "find . -name '*.sh' -exec chmod +x {} +",
            "find . -name '*.bak' | xargs rm -f",
            "find . -name '*.rs' | xargs sed -i s/a/b/",
            "find . -name '*.json' | xargs sed -i s/a/b/",
            "find . -type f | xargs grep x",
            "find . -name '*.py' -not -path './.git/*' -exec sed -i s/a/b/ {} +",
            "rm -rf */target",
            "rm -rf packages/*/node_modules",
            "rm */config",
            "rm -f ~/.cache/*/x.log",
            "rm ~/.config/*/x.log",
            "rm -rf ~/.config/*/Cache",
            "ls ~/.config/hookbox/* | xargs cat",
            "ls *.log | xargs rm",
            "ls | xargs rm",
            "for f in *.json; do jq . $f > /tmp/$f; done",
        ],
    );
}
