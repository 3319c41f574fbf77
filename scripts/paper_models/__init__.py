"""How the models of the paper's experiment are made; `python -m paper_models --help` (see README.md)."""
