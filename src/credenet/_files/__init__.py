"""Bytes in and out of files, and what suffixes mean."""
