"""Sets of networks with probabilities: the common part of credible sets, posteriors and bootstrap samples."""
