# Sets up a virtual environment for the scripts beside this file, which source it. Also runs under bash 3.2 (macOS).
#
#   set_up run|dev|compare    sets $venv to the environment's folder, and creates it unless it is ready
#
# run: the package. dev: run plus what the checks need. compare: run plus the other libraries, in a separate folder.
# If killed, it is repaired by the next run: $venv/set-up names the stage that was reached, or says "unfinished".

root=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd)
pins=$root/scripts/constraints.txt
torch=2.13.0
torch_cpu_index=https://download.pytorch.org/whl/cpu

set_up() {
    stage=$1
    venv=$root/.venv
    [ "$stage" != compare ] || venv=$root/.venv-compare
    wanted=$(cat "$root/pyproject.toml" "$pins" "$root/scripts/setup.bash" | cksum)
    is_ready || (make_ready) # the lock is released when the subshell ends
}

is_ready() {
    [ -x "$venv/bin/unmask" ] && [ -x "$venv/bin/python" ] || return 1
    case $(reached) in
        "$root: $stage $wanted" | "$root: dev $wanted") ;; # dev includes run
        *) return 1 ;;
    esac
}

reached() { cat "$venv/set-up" 2>/dev/null || true; }

make_ready() {
    trap 'exit 130' INT # on Ctrl-C pip merely fails, and the next step would start
    find_python
    take_lock
    ! is_ready || return 0 # set up by the process we waited for
    is_usable || step "a virtual environment in ${venv##*/} (Python $version)" "$python" -I -m venv --clear "$venv"
    [ "$(reached)" != "$root: unfinished" ] || forget_half_installed
    echo "$root: unfinished" >"$venv/set-up"
    step "pip" in_venv -m pip install -q --upgrade --constraint "$pins" pip
    install_torch
    step "unmask and its dependencies" install --editable "$root"
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
    fail "Python 3.11 or newer is required but was not found (${found:-there is no Python on the PATH});" \
        "install it, for example with your system's package manager, so that python3 or python3.13 runs it, and rerun"
}

# A kernel lock on descriptor 9: it outlives the Python process that takes it, is inherited by every pip started from
# here, and is released when the last of these processes ends, however it ends.
take_lock() {
    exec 9>"$venv.lock"
    lock fcntl.LOCK_NB && return
    say "waiting for another setup of this folder to finish"
    lock 0 || true # a file system without locks
}

lock() { "$python" -I -c "import fcntl; fcntl.flock(9, fcntl.LOCK_EX | $1)" 2>/dev/null; }

is_usable() {
    case $(reached) in "" | "$root: "*) ;; *) return 1 ;; esac # if moved, its scripts point to the old folder
    in_venv -c 'import sys; sys.exit(sys.version_info < (3, 11))' && in_venv -m pip install --help
} >/dev/null 2>&1

# pip writes INSTALLER last. Remove packages without it, which pip would otherwise consider installed.
forget_half_installed() {
    local info
    for info in "$venv"/lib/python3*/site-packages/*.dist-info; do
        [ -e "$info/INSTALLER" ] || rm -rf "$info"
    done
}

install_torch() {
    local kept
    if kept=$(in_venv -c 'from importlib.metadata import version; print(version("torch"))' 2>/dev/null); then
        say "keeping torch $kept"
        torch=${kept%%+*} # a pin without +cpu also matches torch with +cpu
        return
    fi
    if [ "$(uname -s)" = Linux ] && ! nvidia-smi -L >/dev/null 2>&1; then
        say "torch $torch for CPUs (about 200 MB)"
        in_venv -m pip install -q --no-deps --index-url "$torch_cpu_index" --retries 0 --timeout 3 "torch==$torch" \
            >/dev/null 2>&1 </dev/null && return
    fi
    step "torch $torch, from the default index" install
}

# Names torch each time, so that pip neither replaces it nor ignores its dependencies.
install() {
    in_venv -m pip install -q --constraint "$pins" --build-constraint "$pins" "torch==$torch" "$@"
}

in_venv() { "$venv/bin/python" -I "$@"; }

# step WHAT COMMAND...: shows the command's output only if it fails.
step() {
    local what=$1 words
    shift
    say "$what"
    words=$("$@" 2>&1 </dev/null) && return
    printf '%s\n' "$words" >&2
    fail "this step failed: $what (see its output above). Rerun the command to resume from here"
}

say() { echo "setting up: $*" >&2; }

fail() {
    say "$@"
    exit 1
}
