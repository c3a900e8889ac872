"""Helpers for emitted jax source."""

import jax
import jax.numpy as jnp
