"""General English, of no graph: word lists, forms of words, the words between two things, the order of clauses."""
