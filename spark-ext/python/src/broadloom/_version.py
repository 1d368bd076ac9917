"""The version of this package: that of the jar it speaks to, in Python's spelling."""

VERSION = "0.2.0"
