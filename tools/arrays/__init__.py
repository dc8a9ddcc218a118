"""Arrays and strings on disk: written as streams, published by one rename, read memory-mapped."""
