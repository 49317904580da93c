"""Networks and data to try things with: textbook examples and random networks."""
