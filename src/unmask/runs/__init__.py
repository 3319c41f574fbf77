"""Long evaluations that survive: plans, a store of results, reports."""
