"""One module for each verb."""
