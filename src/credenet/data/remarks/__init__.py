"""What a user should know of a table: its cuts, gaps, states and columns."""
