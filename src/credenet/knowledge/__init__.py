"""Knowledge of a user about a network."""
