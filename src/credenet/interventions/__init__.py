"""Effects of interventions: what happens to y if x is set from outside."""
