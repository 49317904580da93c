"""The layout of drawings: positions of boxes and lines."""
