"""Network formats."""
