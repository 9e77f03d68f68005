"""The configuration: composed by Hydra, validated by pydantic.

The only package that imports Hydra and OmegaConf, and only when a config is composed.
"""
