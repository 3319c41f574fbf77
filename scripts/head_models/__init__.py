"""Folders of a tagger and of two sentence encoders, from packages that hold their weights."""
