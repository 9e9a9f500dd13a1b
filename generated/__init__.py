"""Generated code, one package a model: run `make generate`, edit nothing here."""
