"""docs/results/paper.md: its tests, sentences, tables and pictures, from the values of each text."""
