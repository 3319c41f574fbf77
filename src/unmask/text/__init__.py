"""Splits texts into units. Nothing in this package depends on a model."""
