"""What verbs take: groups of flags, their types, evidence, states to merge and new names."""
