"""Dense retrieval: vectors of node texts, where they are kept, and search among them."""
