"""Helpers for emitted numpy source."""

import numpy as np
