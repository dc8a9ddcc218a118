"""The application: the only package that knows all the others.

In: the calls of users, by Python, the command line or HTTP. Out: results, and what Clew stores in its home.
`api` is the Python API, and `cli`, `serving` and `web` are its clients. `container`, `parts`, `graph_files` and
`graph_context` compose what questions need from the `settings`. `sessions` and `traces` store questions and runs;
`evaluation` and `training` measure and teach.
"""
