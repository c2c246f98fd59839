#!/bin/sh
# Has hookbox answer an event by the plugins of this folder. Made by `hookbox export`.
#
# The agent may hand on what a project sets: so hookbox is looked for where programs are installed, in the home folder that the user
# database tells, and last in the folders of PATH that are absolute, in no project, and not for everybody to write to.
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

# Is it the user's or the administrator's, and not for everybody to write to?
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
# The outermost folder of a project: a project may have others in it. What holds the home folder is none.
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

# Is it of somebody who may write there because the agent works there?
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
  # What is below /proc and /dev is where this process is, and not where the user has programs.
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
# Where it cannot be started after all.
trap refuse EXIT
exec "$found" run --agent @AGENT@ --bundle "$bundle"
