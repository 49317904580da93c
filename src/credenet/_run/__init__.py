"""What one call may use, and how it tells where it is."""
