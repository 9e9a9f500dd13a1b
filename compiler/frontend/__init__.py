"""From JSON to a checked template: load, validate against every rule of v1, freeze."""
