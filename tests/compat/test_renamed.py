"""Import paths and names of earlier versions: each is there, is what it was renamed to, and warns."""

from importlib import import_module

import pytest

from unmask.compat.renamed import MODULES, NAMES

RENAMED = [(module, old, new) for module, names in NAMES.items() for old, new in names.items()]


@pytest.mark.parametrize(("old", "home"), list(MODULES.items()))
def test_a_module_that_moved_is_found_under_its_old_path(old: str, home: str) -> None:
    now = import_module(home)
    names = [*NAMES.get(home, {}).values(), *(name for name in vars(now) if not name.startswith("_"))]
    with pytest.warns(DeprecationWarning, match=rf"{old}\.{names[0]} is now {home}\.{names[0]}"):
        assert getattr(import_module(old), names[0]) is getattr(now, names[0])


@pytest.mark.parametrize(("module", "old", "new"), RENAMED)
def test_a_name_that_changed_is_found_in_its_modules_old_place(module: str, old: str, new: str) -> None:
    earlier = [path for path, home in MODULES.items() if home == module]
    for path in earlier or [module]:
        with pytest.warns(DeprecationWarning, match=rf"{path}\.{old} is now {module}\.{new}"):
            assert getattr(import_module(path), old) is getattr(import_module(module), new)


@pytest.mark.parametrize("path", ["unmask.runs", "unmask.methods", "unmask.report"])
def test_an_unknown_name_is_no_attribute(path: str) -> None:
    with pytest.raises(AttributeError):
        _ = import_module(path).nothing_of_that_name


def test_the_names_that_the_documentation_had_still_work() -> None:
    with pytest.warns(DeprecationWarning, match="is now unmask.experiments.Plan"):
        from unmask.runs import Plan  # type: ignore[import-not-found]  # found when it is imported
    assert Plan is import_module("unmask.experiments").Plan
