"""Values that outlive the model: explanations, comparisons, evaluations, reports. Nothing here imports torch."""
