"""Markov chains over networks: their starts, moves, pace, sums and diagnostics."""
