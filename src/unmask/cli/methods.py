"""`unmask methods`: what can be asked for by --method."""

from rich.table import Table

from ..methods.table import METHODS, method_class
from .writing import OurConsole


def methods() -> None:
    """List the methods: what each costs for a text of N units, and whether it is exact."""
    table = Table("method", "passes", "exact", "what it does", box=None)
    for name in METHODS:
        found = method_class(name)
        table.add_row(name, found.passes, "yes" if found.exact else "no", found.__doc__.splitlines()[0])
    OurConsole(highlight=False).print(table)
