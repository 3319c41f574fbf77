"""Drop-in replacements with the interfaces of other libraries. Those libraries need not be installed."""
