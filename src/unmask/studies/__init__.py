"""What belongs to one published study alone."""
