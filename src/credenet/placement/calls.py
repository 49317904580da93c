"""`placed`: data that are counted elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, get_args

from credenet._advised import check_keywords
from credenet._arguments import choice, show_value
from credenet.data.dataset import Dataset
from credenet.errors import ArgumentError, ClusterError, MissingExtraError
from credenet.placement import gpu
from credenet.placement.device import Device
from credenet.placement.placed import PlacedDataset

if TYPE_CHECKING:
    from distributed import Client
    from distributed.deploy.cluster import Cluster as AnyCluster

    Cluster = Client | AnyCluster | str

MANY_CELLS = 10_000_000  # Cells of a table from which on "auto" uses a graphics processor.
_CONNECT = 10  # Seconds to wait for a connection to a cluster.


@contextmanager
@check_keywords
def placed(data: Dataset, *, device: Device | str = "cpu", cluster: Cluster | None = None) -> Iterator[Dataset]:
    """The same data, counted by a graphics processor or by the workers of a Dask cluster.

    All that learns from data takes the placed data, and gives the same answers. The rows are sent once; of a block
    file, each worker of a cluster reads its own blocks, so all workers must see the file at the same path.

    Parameters
    ----------
    data
        A `Dataset`, in memory or in a block file. A graphics processor takes no weights, a cluster those that are whole
        numbers.
    device
        ``"cpu"``, ``"cuda"`` (an NVIDIA graphics processor), or ``"auto"``, which takes it for large data if there is
        one.
    cluster
        A `distributed.Client`, a cluster such as `distributed.LocalCluster`, or the address of a scheduler, such as
        ``"tcp://10.0.0.1:8786"``. A client that is given stays open.

    Examples
    --------
    >>> import credenet
    >>> from distributed import LocalCluster
    >>> data = credenet.datasets.asia()
    >>> with LocalCluster(n_workers=2, processes=False, dashboard_address=":0") as cluster:
    ...     with credenet.placed(data, cluster=cluster) as rows:
    ...         families = credenet.score_families(rows)
    ...         result = credenet.learn(rows, method="pc")
    >>> result.graph == credenet.learn(data, method="pc").graph
    True
    """
    if not isinstance(data, Dataset):
        raise ArgumentError(f"data must be a Dataset, got {show_value(data)}")
    chosen = choice("device", device, get_args(Device))
    if cluster is None:
        yield _place_on_device(data, chosen)
        return
    if chosen != "cpu":
        raise ArgumentError(f"rows are counted on a cluster or on a device, got both, device={chosen!r}")
    try:
        import distributed
    except ImportError as error:
        raise MissingExtraError("a cluster needs distributed: pip install credenet[distributed]") from error
    from credenet.placement.cluster import ClusterCounts

    with _client(distributed, cluster) as client:
        yield PlacedDataset(data, ClusterCounts(data, client))


def _place_on_device(data: Dataset, device: str) -> Dataset:
    if device == "auto":
        is_large = data.n_rows * data.n_variables >= MANY_CELLS and not data._is_weighted
        device = "cuda" if is_large and gpu.is_available() else "cpu"
    return PlacedDataset(data, gpu.GpuCounts(data)) if device == "cuda" else data


@contextmanager
def _client(module: Any, cluster: Any) -> Iterator[Any]:
    """The client given, or a new one, which is closed in the end."""
    if isinstance(cluster, module.Client):
        if cluster.asynchronous:
            raise ArgumentError("cluster must not be an asynchronous client")
        yield cluster
        return
    if not isinstance(cluster, str | module.deploy.Cluster):
        raise ArgumentError(
            "cluster must be a distributed.Client, a cluster such as distributed.LocalCluster, or the address of a "
            f"scheduler, such as 'tcp://10.0.0.1:8786', got {show_value(cluster)}"
        )
    try:
        client = module.Client(cluster, timeout=_CONNECT, set_as_default=False)
    except (OSError, TimeoutError) as error:
        raise ClusterError(f"no scheduler answers at {cluster}: {error}") from error
    except ValueError as error:
        raise ArgumentError(
            f"cluster must be the address of a scheduler, got {show_value(cluster)}: {error}"
        ) from error
    with client:
        yield client
