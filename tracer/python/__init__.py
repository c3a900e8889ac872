"""Python: what the constructs and functions of the language mean while tracing."""
