"""How long something takes, in words."""

DAY, HOUR, MINUTE = 86_400, 3_600, 60


def duration(seconds: float) -> str:
    """A time in the two units that matter.

    >>> [duration(seconds) for seconds in (0.2, 59, 61, 7325, 200_000)]
    ['less than a second', '59 s', '1 min 1 s', '2 h 2 min', '2 d 7 h']
    """
    whole = round(seconds)
    if whole < 1:
        return "less than a second"
    if whole < MINUTE:
        return f"{whole} s"
    if whole < HOUR:
        return f"{whole // MINUTE} min {whole % MINUTE} s"
    if whole < DAY:
        return f"{whole // HOUR} h {whole % HOUR // MINUTE} min"
    return f"{whole // DAY:,} d {whole % DAY // HOUR} h"
