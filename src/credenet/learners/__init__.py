"""Learners: `learn` and the methods it can use."""

from credenet.learners.learning import learn as learn
