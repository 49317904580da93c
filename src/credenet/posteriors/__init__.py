"""The posterior over all network structures: exact sums, and Markov chains where there are too many variables."""
