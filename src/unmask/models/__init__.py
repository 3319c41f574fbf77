"""From texts to outputs: the adapter protocol, the Hugging Face adapter, and models defined by a formula."""
