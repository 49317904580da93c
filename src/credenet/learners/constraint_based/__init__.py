"""Learners that ask tests of conditional independence."""
