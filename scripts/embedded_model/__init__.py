"""How the model inside the package is made; `python -m embedded_model --help` (see README.md)."""
