"""Learners that use tests of conditional independence."""
