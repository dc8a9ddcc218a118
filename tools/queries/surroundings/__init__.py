"""What surrounds named nodes: their description, their neighbours, what several share, and how they are connected.

Enters: a question that asks for this in general words ("how are A and B connected", "tell me about A"), with its linked
entities. Leaves: which of these it asks for, and of which nodes (`asked`); the queries for it (`queries`).
"""
