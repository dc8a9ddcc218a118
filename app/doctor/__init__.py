"""`clew doctor`: what of a home is sound, stale or damaged, and its repair.

Each part that a home keeps has one check, which changes nothing, and where the part can be made again, one repair.
Nothing that cannot be made again is deleted.
"""
