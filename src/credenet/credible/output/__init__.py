"""What sets of credible networks say of themselves: texts, tables, files."""
