"""Drawings of graphs and results."""
