"""The roles that a language model can play, each with a counterpart that needs none. Imports only `tools`."""
