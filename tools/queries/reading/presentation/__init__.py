"""What a question says about how its answers are shown: in an order, a few of them, as percentages.

Enters: a question. Leaves: the question without those words, which is read by itself, and what they change in the form
that is read.
"""
