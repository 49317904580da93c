"""Engines that search for the best network of families."""
