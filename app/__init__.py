"""The application: the only package that knows all the others.

`api` is the Python API, and `cli`, `serving` and `web` are its clients. `container`, `parts`, `graph_files` and
`graph_context` compose what questions need from the `settings`. `sessions` and `traces` store questions and runs;
`evaluation` and `training` measure and teach.
"""
