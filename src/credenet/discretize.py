"""Ways to cut columns of numbers into states, which the argument ``discretize`` takes."""

from credenet.data.discretize import Cuts as Cuts
from credenet.data.discretize import EqualFrequency as EqualFrequency
from credenet.data.discretize import EqualWidth as EqualWidth
from credenet.data.discretize import Median as Median
