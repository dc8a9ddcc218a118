"""Questions that want one number, where their words alone would list numbers, or things.

In: the readings of a question, and how its parts are read. Out: the same, with those that tell one number.
"""
