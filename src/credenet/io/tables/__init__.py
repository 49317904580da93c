"""Tables of data in files."""
