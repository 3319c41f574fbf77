"""Who computes chunks of work: this process, or workers on Ray. Results are the same, bit for bit."""
