"""Values nested in containers, by path: ("params", "w", 0) is params["w"][0]."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..backends.backend import framework_of
from ..ir.values.tree import children, is_record, rebuilt

Path = tuple[Any, ...]


def nested(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every container and every leaf in a value, the outermost first."""
    yield path, value
    if framework_of(value) is None:
        for key, item in children(value) or ():
            yield from nested(item, (*path, key))


def leaves_of(value: Any) -> list[tuple[Path, Any]]:
    """The leaves in a value, which are arrays, numbers, and whatever is no container."""
    return [(p, v) for p, v in nested(value) if framework_of(v) is not None or children(v) is None]


def arrays_in(value: Any) -> list[tuple[Path, Any]]:
    return [(p, v) for p, v in leaves_of(value) if framework_of(v) is not None]


def reached(value: Any, path: Path) -> Any:
    """What stands at a path.

    Raises:
        LookupError: where nothing does.
    """
    for key in path:
        found = dict(children(value) or ()) if framework_of(value) is None else {}
        value = found[key]
    return value


def replaced(value: Any, path: Path, new: Any) -> Any:
    """The same value with something else at a path; what is not on the way is the very same object."""
    if not path:
        return new
    items = dict(children(value) or ())
    items[path[0]] = replaced(items[path[0]], path[1:], new)
    return rebuilt(value, items)


def mapped(value: Any, change: Callable[[Path, Any], Any]) -> Any:
    """The same containers with every array changed. What is one array becomes one."""
    made: dict[int, Any] = {}
    for path, array in arrays_in(value):
        if id(array) not in made:
            made[id(array)] = change(path, array)
        value = replaced(value, path, made[id(array)])
    return value


def spelled(path: Path, value: Any) -> str:
    """A path as one writes it: params['w'][0], where `value` is the dict of the parameters."""
    name, *keys = path
    text, value = str(name), value[name]
    for key in keys:
        named = is_record(value) or isinstance(value, tuple) and isinstance(key, str)
        text += f".{key}" if named else f"[{key!r}]"
        value = reached(value, (key,))
    return text
