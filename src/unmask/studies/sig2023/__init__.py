"""The paper: Sequential Integrated Gradients (Enguehard 2023)."""
