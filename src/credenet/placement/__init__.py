"""Where counting is done, if not by this process on rows in memory."""
