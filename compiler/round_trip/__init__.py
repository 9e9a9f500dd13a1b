"""There and back: a chat template writes a message, the response template's parser reads it."""
