"""Families: candidate parent sets of variables with their scores."""
