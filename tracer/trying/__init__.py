"""Trying: `try`, `with` and `finally`: what may raise, and what runs then."""
