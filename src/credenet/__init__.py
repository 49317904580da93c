"""Bayesian networks learned from discrete data, with a statement of how sure they are.

The public names are listed in ``__init__.pyi``. They are loaded on first use, so that importing the package (and
``credenet --help``) costs little. Scores, priors, methods and the like have namespaces, such as ``credenet.scores``.
"""

from credenet import _names

_HOMES = _names.homes(f"{__file__}i")

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name in _HOMES:
        value = _names.public_value(*_HOMES[name])
    elif name == "__version__":
        from importlib.metadata import version

        value = version("credenet")
    else:
        from credenet._peers import package_advice

        space = None if name.startswith("_") else _names.namespace_of(name, __path__[0])
        advice = package_advice(name, __all__) if space is None else f"; use {space}.{name}"
        raise AttributeError(f"module 'credenet' has no attribute {name!r}{advice}", name=name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
