"""The retrieval strategies, one a file: each turns a reading of the question into attempts and evidence."""
