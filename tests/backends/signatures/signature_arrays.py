"""An array as each framework has it: what the tests of the signatures call functions with."""

import jax.numpy as jnp
import numpy as np
import torch

A = np.arange(1.0, 7.0).reshape(2, 3)
J = jnp.asarray(A, dtype=jnp.float32)
T = torch.from_numpy(A)
