"""What a model's outputs mean (tasks), and which numbers computed from them can be explained (targets, scales)."""
