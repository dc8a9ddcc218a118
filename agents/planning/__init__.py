"""Who writes a plan: a language model in one call, or the question's own parts."""
