"""Validation: which score, prior or method to use, for data without a known network."""
