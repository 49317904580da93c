"""The posterior over all networks: Markov chains where there are too many to sum over."""
