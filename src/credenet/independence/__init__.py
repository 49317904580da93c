"""Tests of conditional independence."""
