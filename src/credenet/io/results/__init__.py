"""Results in files: JSON that is read back, and frames for other programs."""
