"""Everything public is documented in numpydoc form, and what the documentation shows is so."""

import ast
import doctest
import importlib
import inspect
import re
import types
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tesuji

MODULES = [
    "tesuji",
    "tesuji.own",
    "tesuji.arms",
    "tesuji.portfolio",
    "tesuji.progress",
    "tesuji.results",
    "tesuji.table",
    "tesuji.openspiel",
    "tesuji.ray",
]


def documented() -> Iterator[tuple[str, object]]:
    """Every public thing of the package, by its name."""
    for name in MODULES:
        module = importlib.import_module(name)
        yield name, module
        for word in getattr(module, "__all__", [word for word in vars(module) if not word.startswith("_")]):
            thing = getattr(module, word)
            # What a module borrows from others is theirs to document.
            if isinstance(thing, types.ModuleType | str) or not getattr(thing, "__module__", "").startswith("tesuji"):
                continue
            yield f"{name}.{word}", thing
            if inspect.isclass(thing):
                for method, value in vars(thing).items():
                    is_slot = isinstance(value, types.MemberDescriptorType)
                    if not method.startswith("_") and not is_slot and (callable(value) or hasattr(value, "__get__")):
                        yield f"{name}.{word}.{method}", value


THINGS = dict(documented())


def unbound(thing: object) -> object:
    """A function or class as it is called."""
    return thing.__func__ if isinstance(thing, staticmethod | classmethod) else thing


def is_own_class(thing: object) -> bool:
    """Whether a class is made by its user: its constructor has arguments of its own."""
    return inspect.isclass(thing) and ("__init__" in vars(thing) or "__new__" in vars(thing))


# A dataclass documents its fields one by one.
CALLED = [
    name
    for name, thing in THINGS.items()
    if (inspect.isroutine(unbound(thing)) or is_own_class(thing))
    and not hasattr(thing, "__dataclass_fields__")
    and not issubclass(thing if inspect.isclass(thing) else object, np.ndarray)
    and not getattr(thing, "_is_protocol", False)
]


def stub_returns() -> dict[str, bool]:
    """Whether each function and method of the native half returns something, by its stub."""
    found: dict[str, bool] = {}
    tree = ast.parse((Path(tesuji.__file__).parent / "_tesuji.pyi").read_text())
    for node in tree.body:
        for function in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(function, ast.FunctionDef):
                home = f"{node.name}." if isinstance(node, ast.ClassDef) else ""
                found[home + function.name] = ast.unparse(function.returns or ast.Constant(None)) != "None"
    return found


RETURNS = stub_returns()


def sections(text: str) -> dict[str, str]:
    """The sections of a docstring, by their headings."""
    parts = re.split(r"^(\w+)\n-+\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", CALLED)
def test_every_parameter_is_described_with_its_default(name: str) -> None:
    thing = unbound(THINGS[name])
    parameters = dict(inspect.signature(thing).parameters)  # type: ignore[arg-type]
    for receiver in ("self", "cls"):
        parameters.pop(receiver, None)
    text = inspect.getdoc(thing) or ""
    described = dict(re.findall(r"^([*\w][\w, *]*) : (.+)$", sections(text).get("Parameters", ""), re.MULTILINE))
    described = {one: kind for names, kind in described.items() for one in names.split(", ")}
    wanted = {("*" if p.kind is p.VAR_POSITIONAL else "") + p.name: p for p in parameters.values()}
    assert list(described) == list(wanted), name
    for word, parameter in wanted.items():
        if parameter.default is None:
            assert described[word].endswith(", optional"), f"{name}: {word} is optional"
        elif parameter.default is not parameter.empty:
            assert described[word].endswith(f", default: {parameter.default!r}"), f"{name}: {word}"


@pytest.mark.parametrize("name", [name for name in CALLED if not inspect.isclass(THINGS[name])])
def test_what_is_returned_is_described(name: str) -> None:
    thing = unbound(THINGS[name])
    written = getattr(thing, "__annotations__", {}).get("return", "?")
    if written == "?":
        owner, word = name.split(".")[-2:]
        returns = RETURNS.get(f"{owner}.{word}", RETURNS.get(word, False))
    else:
        returns = written not in (None, "None")
    assert ("Returns" in sections(inspect.getdoc(thing) or "")) == returns, name


@pytest.mark.parametrize("name", THINGS)
def test_the_summary_is_a_sentence(name: str) -> None:
    text = inspect.getdoc(unbound(THINGS[name]))
    assert text, f"{name} has no docstring"
    # Fields of named tuples have words of Python's own, and are described by their class.
    is_field = type(THINGS[name]).__name__ == "_tuplegetter"
    assert is_field or text.split("\n\n")[0].endswith((".", "?")), name


@pytest.mark.parametrize("name", THINGS)
def test_the_docstring_is_true(name: str) -> None:
    text = inspect.getdoc(unbound(THINGS[name]))
    assert text, f"{name} has no docstring"
    # As after "from tesuji import *", and the same of the module that it is in.
    homes = [importlib.import_module(home) for home in MODULES if name == home or name.startswith(f"{home}.")]
    names = {"tesuji": tesuji, "np": np}
    for home in homes:
        names |= vars(home)
    examples = doctest.DocTestParser().get_doctest(text, names, name, None, 0)
    said: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(examples, out=said.append)
    assert not said, "".join(said)
