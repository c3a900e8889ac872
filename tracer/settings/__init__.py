"""Settings: what a framework obeys without being told at the call, in a file for each, as rows of setting.py.
"""
