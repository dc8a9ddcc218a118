"""Questions that analysts ask, in any order of words: a measure of facts, which facts, and for each of what."""
