"""Many configs on one question set: each distinct stage runs once, and what is done stays done."""
