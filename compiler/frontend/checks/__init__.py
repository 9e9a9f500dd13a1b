"""The rules of v1, one group a file. A check yields what it finds and changes nothing."""
