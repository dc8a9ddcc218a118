"""From evidence to answers (L2): reasoners with and without a model, and how sure they are."""
