"""Many texts explained into a folder that survives: fixed chunks of texts, parts of results, one writer."""
