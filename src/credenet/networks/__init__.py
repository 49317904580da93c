"""Bayesian and Markov networks with their tables."""
