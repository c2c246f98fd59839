#!/bin/sh
# Runs as root, which knows neither the users nor their agents: it prints the step that each user has to do.
set -e
if [ "$1" = remove ]; then
    cat >&2 <<'END'
warning: an agent refuses every call while its settings name a hookbox that is missing
help: each user runs `hookbox setup --remove` before the package is removed; afterwards, install it again for that step
END
fi
