"""Targets that the stages before are emitted to."""
