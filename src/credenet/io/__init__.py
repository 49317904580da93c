"""Files of tables, families, graphs, networks and knowledge."""
