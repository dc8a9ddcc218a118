"""The chunk graph (SAGE): which chunks are similar, share names, or are about what another one names.

In: chunks, their vectors and their keyword graph. Out: edges with reasons, and scores that spread along them.
"""
