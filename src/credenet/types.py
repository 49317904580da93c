"""The types of what calls return and of what results hold, loaded on first use; ``types.pyi`` lists them."""

from credenet import _names

_HOMES = _names.homes(f"{__file__}i")

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'credenet.types' has no attribute {name!r}", name=name)
    value = _names.public_value(*_HOMES[name])
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
