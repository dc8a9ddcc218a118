"""SAGE's expansion: from the nodes found so far to their neighbours, ranked by the question."""
