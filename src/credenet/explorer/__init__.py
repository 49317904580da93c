"""An explorer in the browser: credible networks seen, questioned and corrected."""
