"""Reading files that come from outside, whatever they hold."""
