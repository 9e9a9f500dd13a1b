"""Speed, measured: ratios against transformers and against the floor, taken in one run."""
