"""Importing tables with keys: files and databases whose rows become nodes and relationships.

In: tables (`sources/`). Out: an `ImportPlan`: the graph model, which people can read and edit, and the rows as records
for the importer. The steps, each a module:

1. `workspace` reads the tables into a temporary DuckDB database, and `column_types` finds the types of their columns.
2. `keys`, `references` and `inference` find the model (`model`), by `table_words` and `statistics`; a language model
   has no part in it. `model_file` writes and reads it as YAML.
3. `plan` checks the tables by the model and counts what they give; `plan_text` shows it.
4. `records` turns the rows into nodes and relationships.
"""
