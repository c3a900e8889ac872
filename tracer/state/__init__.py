"""State: what a trace knows while it runs, a part a file. What is about one subject stands with it."""
