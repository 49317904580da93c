"""Optimal learning by score: Cussens, Malone and Yuan (2013)."""
