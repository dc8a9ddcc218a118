"""Language models behind OpenAI-compatible endpoints: which role uses which, how they are asked, what that cost."""
