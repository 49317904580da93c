"""What sets of networks with probabilities have in common: credible sets, posteriors, bootstrap samples."""
