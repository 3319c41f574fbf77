"""Long evaluations: the plan of one, and what is kept of it as it goes."""
