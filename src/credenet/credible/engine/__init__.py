"""The enumeration of credible networks."""
