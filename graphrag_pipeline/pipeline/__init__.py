"""From a validated specification to stages, a runner and a trace."""
