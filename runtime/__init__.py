"""What generated parsers import: the streaming machine, content parsers, transforms, tool types.

Standard library only. Modules import each other as `from runtime.x import name`, do no work at
import, and define distinct top-level names, so that any subset can be inlined into one file.
"""
