"""Drop-in replacements with the interfaces of other libraries, which need not be installed."""
