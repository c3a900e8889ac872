"""Objects: the user's own, and all that a program may change without binding a name: what they hold, what of
it was touched, and how it is put back.
"""
