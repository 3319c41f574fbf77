"""Computes chunks of work in this process or on Ray workers. The results are identical, bit for bit."""
