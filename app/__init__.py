"""Settings, composition, command line, sessions and traces: the only package that knows all the others."""
