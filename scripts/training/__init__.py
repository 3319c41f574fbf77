"""How small sentiment classifiers are fine-tuned and measured; embedded_model and paper_models use it."""
