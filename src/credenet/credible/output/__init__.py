"""Output of credible sets: texts, tables, files."""
