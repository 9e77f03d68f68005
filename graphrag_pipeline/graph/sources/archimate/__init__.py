"""ArchiMate models: Archi's own files and the Open Group's exchange files."""
