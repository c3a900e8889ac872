"""What is no op, and has no row: transforms of functions, gradients, random numbers. Each says why it cannot
be read, and what to do.
"""

from __future__ import annotations

from ..rows import refused

#: The ways to ask for a derivative, by framework.
GRADIENTS = """
    jax.grad jax.value_and_grad jax.vjp jax.jvp jax.linearize jax.jacobian jax.jacfwd jax.jacrev jax.hessian
    torch.autograd.grad torch.autograd.backward torch.Tensor.backward torch.autograd.functional.jacobian
    torch.autograd.functional.hessian torch.autograd.functional.vjp torch.autograd.functional.jvp
    torch.func.grad torch.func.grad_and_value torch.func.vjp torch.func.jvp torch.func.jacrev
    torch.func.jacfwd torch.func.hessian torch.Tensor.requires_grad_
"""
MAPPING = "jax.vmap jax.pmap torch.vmap torch.func.vmap"
#: What draws random numbers; of NumPy's generators methods are called, and there is no name for them.
DRAWING = (
    *(f"torch.{name}" for name in """
        rand rand_like randn randn_like randint randint_like randperm bernoulli multinomial normal poisson
    """.split()),
    *(f"torch.Tensor.{name}_" for name in """
        uniform normal random bernoulli exponential geometric cauchy log_normal
    """.split()),
    *("torch.Tensor.bernoulli", "torch.Tensor.multinomial"),
    *(f"jax.random.{name}" for name in """
        PRNGKey key split fold_in uniform normal bernoulli randint categorical permutation choice
        truncated_normal exponential gamma beta gumbel laplace multivariate_normal poisson
    """.split()),
    *(f"np.random.{name}" for name in """
        rand randn randint random random_sample uniform normal standard_normal choice permutation shuffle
        binomial poisson exponential beta gamma seed default_rng
    """.split()),
)  # fmt: skip

refused(
    *GRADIENTS.split(),
    why="gradients are not translated",
    hint="translate the function whose gradient it is, and take that of the translation",
)
refused(
    *MAPPING.split(),
    why="functions are not mapped over axes",
    hint="write the function for whole arrays; or translate the inner one, and map the translation",
)
refused(
    *DRAWING,
    why="it draws random numbers, and no two frameworks draw the same",
    hint="draw them outside, and give them to the function",
)
