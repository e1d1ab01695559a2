"""Builds the Python client: its generated modules, its wheel and its sdist. Needs nothing but Python, so that pip needs nothing else."""
