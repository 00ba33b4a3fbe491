"""Everything public is documented, and what the documentation shows is so."""

import doctest
import importlib
import inspect
import types
from collections.abc import Iterator

import numpy as np
import pytest

import tesuji

MODULES = ["tesuji", "tesuji.own", "tesuji.arms", "tesuji.portfolio", "tesuji.openspiel", "tesuji.ray"]


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


@pytest.mark.parametrize("name", THINGS)
def test_the_docstring_is_true(name: str) -> None:
    text = inspect.getdoc(THINGS[name])
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
