"""Tables of Zachman cells: those that come with the package, and those in a file."""
