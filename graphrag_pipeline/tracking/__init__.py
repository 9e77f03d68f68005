"""What trackers are told of a run, and the built-in one, which writes lines of JSON."""
