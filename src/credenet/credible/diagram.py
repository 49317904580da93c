"""The size of the product of independent components, lists or diagrams, that holds credible networks."""

from __future__ import annotations

from dataclasses import dataclass

from credenet.structures.listing_limit import MOST_LISTED
from credenet.structures.products.network_diagrams import DiagramProduct
from credenet.structures.products.network_products import NetworkProduct

QUICKLY_LISTED = 300_000  # Networks that can be visited in a second or two.


@dataclass(frozen=True, slots=True)
class CredibleDiagram:
    """The size of the product that holds a credible set, and what it allows to compute quickly.

    Attributes
    ----------
    sizes
        The numbers of networks of the independent components.
    n_bytes
        The bytes of the product.
    is_listed
        Whether the networks of each component are a list; otherwise some are a diagram of sums and products.

    Examples
    --------
    >>> import credenet
    >>> credible = credenet.credible_networks(credenet.datasets.asia(), score="bic", bayes_factor=3)
    >>> sum(credible.diagram.sizes) >= 1, credible.diagram.is_listed
    (True, True)
    """

    sizes: tuple[int, ...]
    n_bytes: int
    is_listed: bool

    @classmethod
    def of(cls, product: NetworkProduct | DiagramProduct) -> CredibleDiagram:
        return cls(tuple(product.sizes), product.n_bytes, isinstance(product, NetworkProduct))

    @property
    def largest_component(self) -> int:
        """The largest number of networks of a component."""
        return max(self.sizes, default=0)

    @property
    def has_quick_classes(self) -> bool:
        """Whether the classes can be computed in a moment, as no component has many networks."""
        return self.largest_component <= QUICKLY_LISTED

    @property
    def has_listed_classes(self) -> bool:
        """Whether the classes can be computed at all."""
        return self.largest_component <= MOST_LISTED
