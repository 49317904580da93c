"""The limits of one call, its progress and its status."""
