"""One HTML file that shows a run or a sweep, and loads nothing."""
