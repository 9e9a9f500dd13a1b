"""The rules for chat templates, LT1xx and LT2xx."""
