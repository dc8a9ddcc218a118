"""Follow-up questions, read as changes of the logical forms of earlier turns, without a model.

In: a question and the forms of the earlier turns. Out: the question as a form, with the turn that it changes and
how. `times` and `two_references` write out a time, or one of two things, that a question points to. `wording` finds
what it refers to, or leaves out, and writes it out with a mark. `past` holds what earlier turns left, and
`meant_turns` which of their sets the mark may stand for. `follow_up_reader` reads the written-out question with the
reader of questions, and puts the set into the form (`changes`). `merging`, `replacing` and `reordering` change the
earlier question instead; `pairs` compares two turns, `others` means what was not spoken of, and `origins` what an
answer belongs to. `two_in_one` takes a question that asks two things apart, `double_questions` reads both
parts, and `joined` makes one form of them. `stored_forms` keeps forms as plain values.
"""
