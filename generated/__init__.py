"""Generated parsers, one package a model: run `make generate`, edit nothing here."""
