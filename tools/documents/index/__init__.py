"""Finding the chunks of documents that answer a question, by several channels together."""
