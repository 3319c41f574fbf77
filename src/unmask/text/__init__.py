"""From characters to units; nothing here knows a model."""
