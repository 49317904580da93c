"""Block files (``.cnb``) as datasets: their map, their bit planes and their rows."""
