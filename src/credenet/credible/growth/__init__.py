"""Credible sets by rounds of growing slack."""
