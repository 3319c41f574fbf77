"""Starts Ray on this machine or connects to a cluster, quietly. The only module that calls `ray.init`."""

import logging
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from operator import attrgetter
from typing import Any

from ..errors import InputError, first_line

OBJECT_STORE = 80 * 2**20  # bytes; Ray needs at least 75 MiB, and spills to disk when full
LOOPBACK = "127.0.0.1"
QUIET = {
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".*",  # Ray's output is in its log file
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",  # silences a warning about a changed default
}
OWN = {"RAY_worker_niceness": "0"}  # the default, 15, lets other programs slow workers down


@contextmanager
def connected(address: str | None, *, cpus: int, debug: bool) -> Iterator[Any]:
    """Connect to Ray and yield the module `ray`. An existing connection is reused and left open.

    Args:
        address: The address of a cluster, or `auto`; None to start Ray on this machine.
        cpus: The number of CPUs for Ray on this machine.
    """
    with _environment(({} if debug else QUIET) | ({} if address else OWN) | {"RAY_USAGE_STATS_ENABLED": "0"}):
        ray = import_module("ray")  # reads environment variables on import
        if ray.is_initialized():
            yield ray
            return
        own = _own_token() if address is None else nullcontext()
        said: dict[str, Any] = {"log_to_driver": debug, "logging_level": logging.INFO if debug else logging.CRITICAL}
        with own:
            try:
                is_here = address is None or address.startswith(("127.0.0.1:", "localhost:"))
                with _loopback_kept() if is_here else nullcontext():
                    ray.init(address=address or "local", **said, **(_own_ray(cpus) if address is None else {}))
            except InputError:
                raise
            except Exception as error:  # Ray raises many kinds of errors
                raise _unreachable(address, error) from error
            try:
                yield ray
            finally:
                ray.shutdown()


def _unreachable(address: str | None, error: Exception) -> InputError:
    if address is None:
        return InputError(
            f"cannot start Ray on this machine: {first_line(error)}", hint="use --debug to see Ray's messages"
        )
    return InputError(
        f"cannot connect to Ray at {address!r}: {first_line(error)}", hint="start Ray there with: ray start --head"
    )


def _own_ray(cpus: int) -> dict[str, Any]:
    """Return options for a private, small Ray instance on loopback, without a dashboard."""
    return {
        "num_cpus": cpus,
        "include_dashboard": False,
        "object_store_memory": OBJECT_STORE,
        "_node_ip_address": LOOPBACK,
    }


def check_ray() -> None:
    """Raise an error if Ray is not installed."""
    if find_spec("ray") is None:
        raise InputError("--engine ray needs Ray, which is not installed", hint="pip install 'unmask[ray]'")


def _private(module: str, *names: str) -> Any:
    """Import a private module of Ray, and require these names: another version of Ray may not have them."""
    try:
        found = import_module(module)
        attrgetter(*names)(found)
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"unmask cannot start Ray {version('ray')} on this machine: {first_line(error)}",
            hint="install a version that works: pip install 'ray==2.60.*'",
        ) from error
    return found


@contextmanager
def _loopback_kept() -> Iterator[None]:
    """Keep Ray on loopback: by default, it uses another address of the machine if it finds a network."""
    constants = _private("ray._private.ray_constants", "ENABLE_RAY_CLUSTER")
    is_reachable = constants.ENABLE_RAY_CLUSTER
    constants.ENABLE_RAY_CLUSTER = False
    try:
        yield
    finally:
        constants.ENABLE_RAY_CLUSTER = is_reachable


@contextmanager
def _own_token() -> Iterator[None]:
    """Use a new authentication token for a Ray instance that unmask starts; it is never written to a file.

    Ray turns on authentication by itself and keeps the first token it reads.
    """
    names = ("AuthenticationTokenLoader.instance", "AuthenticationTokenLoader.reset_cache", "Config.initialize")
    raylet = _private("ray._raylet", *names)
    tokens = raylet.AuthenticationTokenLoader.instance()
    mode = os.environ.get("RAY_AUTH_MODE")
    with _environment({"RAY_AUTH_TOKEN": secrets.token_hex(32)}):
        tokens.reset_cache()
        try:
            yield
        finally:
            if mode is None:
                os.environ.pop("RAY_AUTH_MODE", None)
            raylet.Config.initialize("")  # rereads environment variables
    tokens.reset_cache()


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Set variables that are not set, and remove them afterwards."""
    added = [name for name in values if name not in os.environ]
    os.environ.update({name: values[name] for name in added})
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)
