"""Reading: a tape becomes a Program. call.py reads one call, tape.py them all; inference.py asks what one
would give while it is traced.
"""
