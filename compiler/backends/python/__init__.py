"""The Python target: one module a model, written as a person would write that model's parser."""
