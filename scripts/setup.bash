# Makes a virtual environment ready for the scripts beside this file, which source it. Runs under bash 3.2 (macOS) too.
#
#   set_up run|dev|compare    names the environment's folder in $venv; does nothing else when that is ready
#
# run: the package. dev: run and what the checks need. compare: run and the other libraries, in a folder of its own.
# Killed at any moment, it is mended by the next run: $venv/set-up says which stage was reached, or "unfinished".

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
pins=$root/scripts/constraints.txt
torch=2.13.0
torch_cpu_index=https://download.pytorch.org/whl/cpu

set_up() {
    stage=$1
    venv=$root/.venv
    [ "$stage" != compare ] || venv=$root/.venv-compare
    wanted=$(cat "$root/pyproject.toml" "$pins" "$root/scripts/setup.bash" | cksum)
    is_ready || (make_ready) # the end of the subshell lets go of the lock
}

is_ready() {
    [ -x "$venv/bin/unmask" ] && [ -x "$venv/bin/python" ] || return 1
    case $(reached) in
        "$root: $stage $wanted" | "$root: dev $wanted") ;; # dev holds all of run
        *) return 1 ;;
    esac
}

reached() { cat "$venv/set-up" 2>/dev/null || true; }

make_ready() {
    trap 'exit 130' INT # pip survives Ctrl-C by an ordinary failure, after which the next step would go ahead
    find_python
    take_lock
    ! is_ready || return 0 # made by the one that we waited for
    is_usable || step "a virtual environment in ${venv##*/} (Python $version)" "$python" -I -m venv --clear "$venv"
    [ "$(reached)" != "$root: unfinished" ] || forget_half_installed
    echo "$root: unfinished" >"$venv/set-up"
    step "pip" in_venv -m pip install -q --upgrade --constraint "$pins" pip
    install_torch
    step "unmask and what it needs" install --editable "$root"
    [ "$stage" = run ] || step "the packages of the group $stage" install --group "$root/pyproject.toml:$stage"
    echo "$root: $stage $wanted" >"$venv/set-up"
    say "done"
}

find_python() {
    local found=""
    for python in python3 python3.13 python3.12 python3.11 python3.14 python; do
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        case $version in 3.1[1-9] | 3.[2-9][0-9]) return ;; esac
        found="$found${found:+, }$python is $version"
    done
    fail "Python 3.11 or newer is needed and was not found (${found:-there is no Python on the PATH});" \
        "install one, for example from your system's packages, so that python3 or python3.13 starts it, and run this again"
}

# A lock of the kernel's on descriptor 9: it outlives the Python that takes it, is shared with every pip that is started
# from here, and is gone when the last of them is, however they ended.
take_lock() {
    exec 9>"$venv.lock"
    lock fcntl.LOCK_NB && return
    say "waiting for another set-up of this folder to end"
    lock 0 || true # a file system without locks
}

lock() { "$python" -I -c "import fcntl; fcntl.flock(9, fcntl.LOCK_EX | $1)" 2>/dev/null; }

is_usable() {
    case $(reached) in "" | "$root: "*) ;; *) return 1 ;; esac # moved: its scripts name the old folder
    in_venv -c 'import sys; sys.exit(sys.version_info < (3, 11))' && in_venv -m pip install --help
} >/dev/null 2>&1

# pip writes INSTALLER when a package is all there; without it, it would take what was cut off for installed.
forget_half_installed() {
    local info
    for info in "$venv"/lib/python3*/site-packages/*.dist-info; do
        [ -e "$info/INSTALLER" ] || rm -rf "$info"
    done
}

install_torch() {
    local kept
    if kept=$(in_venv -c 'from importlib.metadata import version; print(version("torch"))' 2>/dev/null); then
        say "torch $kept is there and stays"
        torch=${kept%%+*} # a pin without +cpu holds for torch with it
        return
    fi
    if [ "$(uname -s)" = Linux ] && ! nvidia-smi -L >/dev/null 2>&1; then
        say "torch $torch for CPUs (about 200 MB)"
        in_venv -m pip install -q --no-deps --index-url "$torch_cpu_index" --retries 0 --timeout 3 "torch==$torch" \
            >/dev/null 2>&1 </dev/null && return
    fi
    step "torch $torch, from the usual index" install
}

# Names torch each time, so that pip neither replaces it nor forgets what it needs.
install() {
    in_venv -m pip install -q --constraint "$pins" --build-constraint "$pins" "torch==$torch" "$@"
}

in_venv() { "$venv/bin/python" -I "$@"; }

# step WHAT COMMAND...: the command's own words are shown only if it fails.
step() {
    local what=$1 words
    shift
    say "$what"
    words=$("$@" 2>&1 </dev/null) && return
    printf '%s\n' "$words" >&2
    fail "this step failed: $what; what it said stands above. Run the same command again to go on from here"
}

say() { echo "setting up: $*" >&2; }

fail() {
    say "$@"
    exit 1
}
