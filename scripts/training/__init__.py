"""Fine-tunes and tests small sentiment classifiers, for embedded_model and paper_models."""
