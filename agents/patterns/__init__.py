"""Questions and statements as pattern graphs."""
