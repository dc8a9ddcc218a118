"""The chunk graph (SAGE): which chunks are alike, share names, or are about what another one names."""
