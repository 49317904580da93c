"""Credible networks: all that are within a Bayes factor of the best, and what they say together."""
