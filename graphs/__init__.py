"""The LangGraph state machines: state, nodes and how they are wired. Imports `agents` and `tools`."""
