"""Plans for questions: by a language model in one call, or from the question's own parts.

In: a question, its linked names and the schema. Out: checked plans (`clew.tools.queries.plans`), and what running them
gave. `plan_writer.py` and `plan_reply.py` work with a model, `parts_planner.py` and `drafts.py` without one.
"""
