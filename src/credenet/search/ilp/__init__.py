"""Exact learning by branch and cut."""
