"""Hugging Face models behind the adapter protocol."""
