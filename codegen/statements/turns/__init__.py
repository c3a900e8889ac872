"""Turns: loops over known items, whose turns were traced one by one, as loops again; and calls likewise."""
