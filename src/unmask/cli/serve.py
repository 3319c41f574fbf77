"""`unmask serve`: a web page and an HTTP API on this machine."""

import sys
import webbrowser
from dataclasses import dataclass

from ..errors import InputError
from . import options as shared
from .exit_codes import Exit, say
from .options import MODEL, OUTPUT, command, option
from .printing import print_line

PORT = 8760
MISSING = "unmask serve needs {}, which is not installed"


@dataclass(frozen=True, kw_only=True)
class ServeOptions(shared.CommandOptions):
    """Options of `unmask serve`."""

    model: list[str] | None = option(
        MODEL,
        "Model folder or hub name; repeat the option for several models.",
        show_default="the built-in sentiment and story models",
    )
    device: str | None = option(MODEL, "Device: cuda, mps or cpu.", show_default="best available")
    port: int = option(OUTPUT, "Port to listen on; 0 picks a free port.", min=0, max=65535, default=PORT)
    host: str = option(
        OUTPUT,
        "Address to listen on. If other machines can reach it, clients need the token in the printed address.",
        default="127.0.0.1",
    )
    open: bool = option(OUTPUT, "Open the page in a browser.", "--open", default=False)


@command
def serve(options: ServeOptions) -> Exit:
    """Serve a web page where you can mask words and see the prediction change, and an HTTP API."""
    try:
        from ..web import server  # slow: imports torch
    except ModuleNotFoundError as error:
        raise InputError(MISSING.format(error.name), hint="pip install 'unmask[web]'") from error
    with server.listen(options.host, options.port) as listening:  # first: the port may be taken, and models load slowly
        access = server.access_to(listening, options.host)
        say("note: loading the models")
        sessions = server.open_sessions(options.model or (), device=options.device)

        def announce(address: str) -> None:
            print_line(f"Listening on {address}")
            sys.stdout.flush()
            say("note: press Ctrl-C to stop")
            if options.open:
                webbrowser.open(address)

        server.serve(sessions, listening, access=access, announce=announce)
    return Exit.DONE
