"""HTML reports: one file each, without scripts and links."""
