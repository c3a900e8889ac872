"""Plan: what is decided of a lowered Program before a word is written: which values are statements, under
which names, and in whose memory they are written.
"""
