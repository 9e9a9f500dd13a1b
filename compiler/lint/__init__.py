"""What works and is likely not meant so: rules for chat templates and response templates."""
