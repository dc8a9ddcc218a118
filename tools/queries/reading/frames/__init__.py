"""Ways of asking that are learned from the wordings of many people: "tally up the orders, customer by customer".

A question comes in with the parts that name something in its graph (`slots`). A linear model over its sentence vector
says which frame it is (`classifier`). The canonical words of that frame leave, with the parts in their places
(`canonical`), and how likely each reading is (`weighing`).
"""
