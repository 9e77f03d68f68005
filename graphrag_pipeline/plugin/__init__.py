"""The code about plugins; the only package that imports pluggy. Plugins themselves live elsewhere."""
