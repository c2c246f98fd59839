#!/bin/sh
# Runs hookbox to answer an event with the plugins of this folder. Written by `hookbox export`.
#
# The environment may contain variables that a project sets. Therefore hookbox is searched in the usual folders for programs, in the
# home folder from the user database, and last in the folders of PATH that are absolute, outside of projects and not world-writable.
unset -f cd pwd printf test unset eval set exec trap 2>/dev/null
unset CDPATH
set -f
message=@MESSAGE@
event=${1-}

refuse() {
  case $event in
@REFUSALS@
    '') printf '%s\n' "$message" >&2; exit 2 ;;
    *) exit 0 ;;
  esac
}

# Succeeds for a file of the user or the administrator that is not world-writable.
is_safe() {
  line=$(/bin/ls -ldLn -- "$1") || return 1
  case $line in ????????w*) return 1 ;; esac
  test -O "$1" && return 0
  IFS=' '
  set -- $line
  test "${3-}" = 0
}

bundle=$(cd -P -- "${0%/*}/.." && pwd -P) || refuse
here=$(pwd -P) || refuse
user=$(/usr/bin/id -un 2>/dev/null) || user=
case $user in '' | -* | *[!A-Za-z0-9._-]*) home= ;; *) eval "home=~$user" ;; esac
held=$(cd -P -- "${home:-/}" 2>/dev/null && pwd -P) || held=$home
# The outermost project folder, since projects may be nested. A folder that contains the home folder is not a project.
project=$here
above=$here
while test -n "$above"; do
  case $held/ in "$above"/*) break ;; esac
  if test -e "$above/.git" || test -e "$above/.hookbox"; then
    project=$above
  fi
  above=${above%/*}
done
case $held/ in "${project%/}"/*) project=$bundle ;; esac

# Succeeds for a path that the agent may write to: in the project, in this bundle or in node_modules.
is_of_project() {
  case $1/ in "$project"/* | "$bundle"/* | */node_modules/*) return 0 ;; esac
  return 1
}

found=
for place in /usr/local/bin /usr/bin /opt/homebrew/bin /home/linuxbrew/.linuxbrew/bin "$home/.local/bin" "$home/.cargo/bin"; do
  if test -z "$found" && test -f "$place/hookbox" && test -x "$place/hookbox" && test -s "$place/hookbox"; then
    found=$place/hookbox
  fi
done
IFS=:
for place in ${PATH-}; do
  test -z "$found" || break
  # Paths below /proc and /dev depend on this process and are not installed programs.
  case $place in
    /proc | /proc/* | /dev | /dev/* | //* | */../* | */.. | */./* | */.) continue ;;
    /*) ;;
    *) continue ;;
  esac
  test -f "$place/hookbox" && test -x "$place/hookbox" && test -s "$place/hookbox" || continue
  is_of_project "$place" && continue
  place=$(cd -P -- "$place" && pwd -P) || continue
  is_of_project "$place" && continue
  is_safe "$place" && is_safe "$place/hookbox" && found=$place/hookbox
done

test -n "$found" || refuse
# Runs if hookbox cannot be started.
trap refuse EXIT
exec "$found" run --agent @AGENT@ --bundle "$bundle"
