"""Names to nodes: the entity index, and the mentions of entities in a question.

Holds the index of all names and aliases (`index`, `tables`, `name_words`, `edit_distance`, `dense`), the spellings and
the classes of words (`normalise`, `word_forms`, `ordinary`), and the search for mentions (`tokens`, `spans`, `partial`,
`mentions`). In: a graph's nodes, and a
question. Out: candidates for a text, and mentions with their candidates, best first.
"""
