"""Climbs by single edges on data, also under each limit on the number of parents."""
