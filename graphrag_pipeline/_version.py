"""The version: pyproject.toml and the package itself read it here."""

__version__ = "0.1.0"
