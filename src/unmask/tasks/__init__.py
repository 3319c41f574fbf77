"""What a model's outputs mean, and what can be asked of them."""
