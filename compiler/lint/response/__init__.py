"""The rules for response templates, LT5xx and LT6xx."""
