"""Where chunks of work are computed: in this process or on Ray workers. Results are the same, bit for bit."""
