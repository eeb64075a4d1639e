# Sourced by ./clew and ./test, in POSIX sh. Needs $clew_root, the absolute path of the checkout.
# Gives $clew_venv and `clew_ensure runtime|dev`, which makes the environment when it is missing or out of date.
# Everything goes to stderr; failure ends the script with exit status 3.
#
# $clew_venv/clew-setup/ holds what we know about the environment:
#   made          we created it, so we may delete it       root       the checkout it serves
#   runtime.toml  pyproject.toml as last installed         dev.toml   the same, with the dev extra
#   setup.log     output of the last setup
# A stamp (*.toml) is written last: an environment without one was interrupted and is made anew.
# Variables start with clew_ so that none of the user's environment is overwritten on its way to the command.

clew_venv=${CLEW_VENV:-$clew_root/.venv}
case $clew_venv in /*) ;; *) clew_venv=$PWD/$clew_venv ;; esac
clew_notes=$clew_venv/clew-setup
clew_lock=$clew_venv.lock

clew_ensure() {
    clew_is_ready "$1" && return
    mkdir -p -- "${clew_venv%/*}" 2>/dev/null
    trap 'clew_release' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    clew_acquire
    clew_is_ready "$1" || clew_set_up "$1" # another process may have done it while we waited
    clew_release
    trap - EXIT HUP INT TERM
}

# The warm path of every command: no process is started but cmp.
clew_is_ready() {
    clew_is_ours && cmp -s "$clew_root/pyproject.toml" "$clew_notes/$1.toml"
}

# Was a setup for this very checkout completed? A copied or moved checkout still points to the old sources.
clew_is_ours() {
    [ -x "$clew_venv/bin/python" ] && [ -r "$clew_notes/root" ] && IFS= read -r clew_served <"$clew_notes/root" &&
        [ "$clew_served" = "$clew_root" ]
}

clew_say() { printf 'clew: %s\n' "$1" >&2; }

clew_fail() {
    for clew_line in "$@"; do clew_say "$clew_line"; done
    exit 3
}

# --- the lock: a directory with the owner's process id ---

clew_owns_lock=
clew_acquire() {
    clew_waited=0
    until mkdir -- "$clew_lock" 2>/dev/null; do
        [ -d "$clew_lock" ] || clew_fail "cannot write to ${clew_venv%/*}" \
            "set CLEW_VENV to a place for the environment that can be written"
        clew_owner=
        [ -r "$clew_lock/pid" ] && read -r clew_owner <"$clew_lock/pid"
        if [ -n "$clew_owner" ] && ! kill -0 "$clew_owner" 2>/dev/null && ! [ -d "/proc/$clew_owner" ]; then
            # Moving is atomic: of several waiters, one gets to remove the dead owner's lock.
            mv -- "$clew_lock" "$clew_lock.$$" 2>/dev/null && rm -rf -- "$clew_lock.$$" && continue
        fi
        [ "$clew_waited" -eq 0 ] && clew_say "waiting for another setup to finish …"
        [ "$clew_waited" -ge 600 ] && clew_fail "another setup seems stuck; if none is running, remove $clew_lock"
        sleep 1
        clew_waited=$((clew_waited + 1))
    done
    clew_owns_lock=yes
    printf '%s\n' "$$" >"$clew_lock/pid"
}

clew_release() {
    [ -n "$clew_owns_lock" ] && rm -rf -- "$clew_lock"
    clew_owns_lock=
}

# --- the environment ---

clew_set_up() {
    if clew_is_ours; then
        clew_say "updating the environment …"
    else
        clew_find_python
        clew_say "setting up (first use, about a minute) …"
        clew_make_venv
    fi
    clew_install "$1"
}

# Sets $clew_python to the first usable interpreter. An explicit $PYTHON is used or refused, never passed over.
clew_find_python() {
    clew_old=
    clew_bare=
    for clew_python in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11; do
        clew_answer=$("$clew_python" -c '
import sys
print("%d.%d.%d" % sys.version_info[:3])
if sys.version_info >= (3, 11):
    print("new enough")
    import ensurepip, venv
    print("usable")
' 2>/dev/null)
        case $clew_answer in
            *usable) return ;;
            *enough) clew_bare=${clew_bare:-$clew_python} ;;
            ?*) clew_old=${clew_old:-$clew_python is $clew_answer} ;;
        esac
        [ -n "${PYTHON:-}" ] && break
    done
    [ -n "$clew_bare" ] && clew_fail "$clew_bare lacks the modules venv and ensurepip" \
        "on Debian and Ubuntu: apt install python3-venv"
    [ -n "${PYTHON:-}" ] && clew_fail "PYTHON=$PYTHON is not a working Python 3.11 or newer${clew_old:+ ($clew_old)}"
    clew_fail "needs Python 3.11 or newer and found none${clew_old:+ ($clew_old)}" \
        "install one, or name it: PYTHON=/path/to/python3 $clew_root/clew"
}

clew_make_venv() {
    if [ -e "$clew_notes/made" ]; then
        rm -rf -- "$clew_venv"
    elif [ -e "$clew_venv/pyvenv.cfg" ] && [ -x "$clew_venv/bin/python" ]; then
        mkdir -p -- "$clew_notes" # the user's own environment: install into it, delete nothing
        return
    elif [ -e "$clew_venv" ] && ! rmdir -- "$clew_venv" 2>/dev/null; then
        clew_fail "$clew_venv exists and is not a working Python environment" "remove it, or set CLEW_VENV to another place"
    fi
    mkdir -p -- "$clew_notes" && : >"$clew_notes/made" || clew_fail "cannot write to $clew_venv"
    "$clew_python" -m venv "$clew_venv" >"$clew_notes/setup.log" 2>&1 </dev/null ||
        clew_fail_with_log "$clew_python could not make the environment $clew_venv"
}

clew_install() {
    if [ "$1" = dev ]; then
        clew_pip "$clew_root[dev]"
    elif clew_has_compiler; then
        clew_pip "$clew_root"
    else
        clew_say "there is no C compiler: one is installed as a Python package (100 MB) …"
        clew_pip "$clew_root[compiler]" || {
            clew_say "it could not be installed; large models will be explored slowly"
            clew_pip "$clew_root"
        }
    fi || clew_fail_with_log "could not install the Python packages clew needs (is there a network?)"
    printf '%s\n' "$clew_root" >"$clew_notes/root"
    clew_prepare
    clew_stamp runtime
    # Installing without the extra does not refresh the development tools: dev.toml then stays as it was.
    [ "$1" = runtime ] || clew_stamp "$1"
}

clew_has_compiler() {
    [ -n "${CC:-}" ] || command -v cc >/dev/null || command -v gcc >/dev/null || command -v clang >/dev/null
}

clew_pip() {
    PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1 "$clew_venv/bin/python" -m pip install --no-input \
        --editable "$1" >"$clew_notes/setup.log" 2>&1 </dev/null
}

# What every compiled model has in common. Without it the first checks take a second longer, so nothing is said.
clew_prepare() {
    "$clew_venv/bin/python" -P -m clew.explicit.prepare >>"$clew_notes/setup.log" 2>&1 </dev/null || :
}

clew_stamp() {
    cp -- "$clew_root/pyproject.toml" "$clew_notes/$1.new" && mv -- "$clew_notes/$1.new" "$clew_notes/$1.toml" ||
        clew_fail "cannot write to $clew_notes"
}

clew_fail_with_log() {
    clew_say "$1; the last lines of $clew_notes/setup.log:"
    tail -n 20 "$clew_notes/setup.log" | sed 's/^/    /' >&2
    exit 3
}
