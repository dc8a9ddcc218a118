"""Readings that do not look at word order.

The rules of `rules/` join what stands together as English does. A sentence that none of them foresees ("what salary is
X on", "credit limit with X?") still has parts, and a schema allows few ways to join them. Here the parts float, as in a
floating grammar (Pasupat and Liang 2015). Enters: the chart of a question. Leaves: items, with the words that each
explains.
"""
