"""Inference: what a model says about some variables when others are known."""
