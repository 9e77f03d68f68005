"""The filter ``rules``: an algebra of rules about nodes, edges and the way to them."""
