"""Credible networks: all networks within a Bayes factor of the best, and what follows from them together."""
