"""Counting elsewhere than in this process: on a Dask cluster or a graphics processor."""
