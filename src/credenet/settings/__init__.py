"""Choices with settings: scores, priors, tests of independence, methods of learning and of inference."""
