"""Plans for questions: by a language model in one call, or from the question's own parts.

In: a question, its linked names and the schema. Out: checked plans (`clew.tools.queries.plans`), and what running them
gave. `plan_writer.py` works with a model, `parts_planner.py` and `drafts.py` without one.
"""
