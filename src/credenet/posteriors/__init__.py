"""The posterior over all network structures: by exact sums, or by Markov chains for many variables."""
