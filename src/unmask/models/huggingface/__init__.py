"""Adapters for Hugging Face models."""
