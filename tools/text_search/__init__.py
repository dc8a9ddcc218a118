"""Text in nodes: which properties hold it, and finding nodes by what it says."""
