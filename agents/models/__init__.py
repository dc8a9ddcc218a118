"""Language models: which role uses which, how they are called, what that costs.

In: the models that the settings name (`ModelSpec`), and a `Prompt` for each call.
Out: a `Reply` with its text and `Usage`, or a `ModelFailed` that says what happened and what to do about it.
Start with `calls.py` (what a role sees) and `role_models.py` (the models of all roles).
"""
