"""Families scored from data, and what that costs."""
