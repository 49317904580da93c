"""Networks with probabilities as products over components."""
