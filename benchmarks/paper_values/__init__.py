"""What paper.py and paper_checks.py compute for each text, behind docs/results/paper.md."""
