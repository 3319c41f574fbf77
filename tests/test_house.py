"""The bounds that keep the package readable: few files at its root, short modules, few parameters."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import unmask
from unmask.cli.app import app

PACKAGE = Path(unmask.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
ROOT_FILES, MODULE_LINES, PARAMETERS = 6, 300, 12
COMMANDS = {info.callback.__name__ for info in app.registered_commands if info.callback}  # their parameters are options
LINES = {"": 36433, "render": 6920}  # 18,000 and 3,800 when the rooms were made; capabilities add to it
OF_OTHERS = {
    "_asdict",
    "_backward_hooks",
    "_core",
    "_exit",
    "_forward_hooks",
    "_forward_pre_hooks",
    "_linear_pointwise",
    "_name_or_path",
    "_utils",
}


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def functions(path: Path) -> Iterator[ast.FunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def parameters(function: ast.FunctionDef) -> int:
    given = function.args
    return len([*given.posonlyargs, *given.args, *given.kwonlyargs])


def test_few_files_stand_at_the_root() -> None:
    assert len([path for path in MODULES if path.parent == PACKAGE]) <= ROOT_FILES


@pytest.mark.parametrize("room", LINES)
def test_a_room_is_no_larger_than_it_may_be(room: str) -> None:
    assert sum(lines(path) for path in MODULES if path.is_relative_to(PACKAGE / room)) <= LINES[room]


def test_a_module_fits_on_a_few_screens() -> None:
    assert [path.name for path in MODULES if lines(path) > MODULE_LINES] == []


def test_a_function_takes_few_parameters() -> None:
    long = [
        f"{path.name}: {function.name}"
        for path in MODULES
        for function in functions(path)
        if parameters(function) > PARAMETERS and function.name not in COMMANDS
    ]
    assert long == []


def test_tests_use_public_names_only() -> None:
    private = [
        f"{path.name}: {name}"
        for path in Path(__file__).parent.rglob("*.py")
        for name in private_names(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert private == []


def private_names(tree: ast.Module) -> Iterator[str]:
    """Private attributes of anything but the test's own `self`, and private names imported from the package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("unmask"):
            yield from (one.name for one in node.names if is_private(one.name))
        elif (
            isinstance(node, ast.Attribute) and ast.unparse(node.value) not in ("self", "cls") and is_private(node.attr)
        ):
            yield node.attr


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_") and name not in OF_OTHERS
