"""Networks of bounded tree-width."""
