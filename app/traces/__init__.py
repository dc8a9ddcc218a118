"""Traces of runs: recording, redacting, storing, replaying, forking, exporting."""
