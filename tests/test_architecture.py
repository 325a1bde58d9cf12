"""The rooms and what each may import, as docs/architecture.md promises."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ALLOWED = {
    "biomolkg": set(),
    "cypher": {"biomolkg"},
    "graph_loader": {"biomolkg", "cypher"},
    "retrievers": {"biomolkg", "cypher"},
    "gnn": {"biomolkg", "cypher", "retrievers"},
    "app": {"biomolkg", "cypher", "graph_loader", "retrievers", "gnn", "evaluation"},
    "evaluation": {"biomolkg", "cypher"},
}


def imported_rooms(module: Path) -> set[str]:
    rooms = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            rooms |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            rooms.add(node.module.split(".")[0])
    return rooms & set(ALLOWED)


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_imports_only_what_is_below_it(room: str) -> None:
    modules = list((ROOT / room).rglob("*.py"))
    assert modules, f"{room}/ has no modules"
    wrong = {
        f"{module.relative_to(ROOT)} imports {other}"
        for module in modules
        for other in imported_rooms(module) - ALLOWED[room] - {room}
    }
    assert not wrong


def test_no_module_is_longer_than_600_lines() -> None:
    long = {
        str(module.relative_to(ROOT)): lines
        for room in ALLOWED
        for module in (ROOT / room).rglob("*.py")
        if (lines := len(module.read_text(encoding="utf-8").splitlines())) > 600
    }
    assert not long


def reads_environment(module: Path) -> bool:
    """Whether a variable is looked up by name; passing the environment on to a child is not reading it."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if (isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load)) or (
            isinstance(node, ast.Attribute) and node.attr == "get"
        ):
            place = node.value
        elif isinstance(node, ast.Attribute) and node.attr == "getenv":
            return True
        else:
            continue
        if isinstance(place, ast.Attribute) and place.attr == "environ":
            return True
    return False


def test_only_settings_reads_the_environment() -> None:
    readers = {
        str(module.relative_to(ROOT))
        for room in ALLOWED
        for module in (ROOT / room).rglob("*.py")
        if reads_environment(module)
    }
    assert not readers
