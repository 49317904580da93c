"""Searches and sums under priors on whole networks, which depend on how complex a network is."""
