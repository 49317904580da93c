"""The devices of this machine that can count."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from credenet._memory import available_memory
from credenet._run.progress import thread_count
from credenet.errors import CredenetError
from credenet.placement import gpu


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """A processor that can count.

    Attributes
    ----------
    device
        What to give to ``device=``.
    name, free
        Its name, and bytes of its memory that are free; None where that is not known.
    """

    device: str
    name: str
    free: int | None

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        free = "" if self.free is None else f", {self.free / 2**30:.1f} GiB free"
        return f"{self.device:<6}{self.name}{free}"


def devices() -> tuple[tuple[DeviceInfo, ...], str | None]:
    """The processors, and why there is no graphics processor among them."""
    cpu = DeviceInfo("cpu", f"{thread_count(None)} threads", available_memory())
    try:
        cp = gpu.cupy()
    except CredenetError as error:
        return (cpu,), str(error)
    found = [cpu]
    for at in range(cp.cuda.runtime.getDeviceCount()):
        properties = cp.cuda.runtime.getDeviceProperties(at)
        with cp.cuda.Device(at):
            free, _ = cp.cuda.runtime.memGetInfo()
        found.append(DeviceInfo("cuda", properties["name"].decode(), int(free)))
    return tuple(found), None
