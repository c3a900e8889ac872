"""The phrasings: same files as in ir/ops, same order of rows. `rows.load` imports every family."""
