"""How long something takes, in words."""


def duration(seconds: float) -> str:
    """A time as people say it.

    >>> [duration(seconds) for seconds in (5, 90, 5000, 200_000)]
    ['5 s', '1.5 min', '1.4 h', '55.6 h']
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
