"""Discrete data: tables of small-integer codes with named variables and states."""
