"""`unmask status` for a folder of results; loads no model."""

from ..bulk.folder import ResultFolder
from ..bulk.reading import FolderStatus, status
from .estimate import duration
from .exit_codes import Exit
from .printing import print_line


def show_folder(folder: ResultFolder) -> Exit:
    """Print a folder's progress, its first failures, the time left, and the process that is working on it."""
    holder = folder.holder
    if not folder.is_begun:
        print_line(f"{holder} is starting: reading the files and loading the model")
        return Exit.DONE
    found = status(folder)
    share = f" of {found.texts:,} texts, {100 * found.done // max(1, found.texts)}%" if found.texts else " texts"
    print_line(f"{found.done:,}{share}{f'; {found.failed:,} failed' if found.failed else ''}")
    for reason in found.reasons:
        print_line(f"  failed: {reason}")
    if found.failed > len(found.reasons):
        print_line(f"  ... and {found.failed - len(found.reasons):,} more")
    print_line(_left(found, is_running=holder is not None))
    if holder is not None:
        print_line(f"{holder} is running")
    return Exit.DONE


def _left(found: FolderStatus, *, is_running: bool) -> str:
    """Whether the folder is finished, and the time left if known."""
    if found.is_finished:
        return f"Finished{'; rerun the command with --retry-failed to retry what failed' * bool(found.failed)}."
    time = "" if found.left is None else f"about {duration(found.left)} left"
    if is_running:
        return time or "the time left is not known yet"
    again = "Not finished; rerun the command to continue"
    return f"{again}; {time} at the speed of the last run" if time else again
