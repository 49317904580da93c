"""Tables of families in files."""
