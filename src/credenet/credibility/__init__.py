"""Credible networks: all that are within a Bayes factor of the best, and what they say together."""

from credenet.credibility.credible_set import CredibleSet as CredibleSet
from credenet.credibility.enumeration import credible_networks as credible_networks
