"""Where the boxes and lines of a drawing are."""
