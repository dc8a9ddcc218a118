"""Follow-up questions, read as changes of the logical forms of earlier turns, without a model.

In: a question and the forms of the earlier turns. Out: the question as a form, with the turn that it changes and how.
`wording` finds what a question refers to, or leaves out, and writes it out with a mark; `past` holds what earlier turns
left, and which of their sets a mark may stand for; `follow_up_reader` reads the written-out question with the reader of
questions, and puts the set into the form (`changes`). `stored_forms` keeps forms as plain values.
"""
