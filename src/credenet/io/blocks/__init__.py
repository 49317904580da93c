"""Block files: tables larger than memory."""
