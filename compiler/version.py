"""The compiler's version, as the header of every generated file records it."""

VERSION = "0.1.0"
