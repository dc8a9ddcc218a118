"""`clew doctor`: what of a home is sound, stale or damaged, and its repair.

In: a home. Out: a finding for each of its parts, sound or with a remedy.
Each part that a home keeps has one check, which changes nothing, and where the part can be made again, one repair.
Nothing that cannot be made again is deleted.
"""
