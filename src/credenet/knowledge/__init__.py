"""What a user knows of a network."""
