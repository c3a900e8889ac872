"""Three classic exercises: heat in a rod, Poisson on a square, gravity."""

import numpy as np

G = 1.0  # N-body units
MAX_SWEEPS = 2000


# ---- heat equation -----------------------------------------------------------


def thomas_solve(lower, diag, upper, rhs):
    """Solve a tridiagonal system in place.

    `rhs` becomes the solution, `diag` is destroyed. ``lower[i]`` multiplies
    ``x[i - 1]`` in row i, so ``lower[0]`` is not used.
    """
    n = len(rhs)
    for i in range(1, n):
        w = lower[i] / diag[i - 1]
        diag[i] -= w * upper[i - 1]
        rhs[i] -= w * rhs[i - 1]

    rhs[-1] /= diag[-1]
    for i in range(n - 2, -1, -1):
        rhs[i] = (rhs[i] - upper[i] * rhs[i + 1]) / diag[i]


def diffusion(u, face, dx):
    # d/dx (kappa du/dx); fixed at the left end, insulated at the right
    out = np.zeros_like(u)
    flux = face * np.diff(u) / dx
    out[1:-1] = (flux[1:] - flux[:-1]) / dx
    out[-1] = -2.0 * flux[-1] / dx
    return out


def heat_rod(u0, kappa, source=None, t_left=0.0, length=1.0, dt=1e-3, n_steps=50):
    """Crank-Nicolson for u_t = (kappa u_x)_x + source.

    Returns the final temperatures and the mean temperature after each step.
    """
    n = u0.shape[0]
    dx = length / (n - 1)
    face = 0.5 * (kappa[1:] + kappa[:-1])
    r = 0.5 * dt / dx**2

    # matrix of the implicit half, I - dt/2 L
    lower = np.zeros_like(u0)
    upper = np.zeros_like(u0)
    lower[1:] = -r * face
    upper[1:-1] = -r * face[1:]
    lower[-1] *= 2  # half cell at the insulated end
    diag = 1.0 - lower - upper

    u = u0.copy()
    u[0] = t_left
    history = np.zeros(n_steps, dtype=u0.dtype)
    for k in range(n_steps):
        rhs = u + 0.5 * dt * diffusion(u, face, dx)
        if source is not None:
            rhs += dt * source
        rhs[0] = t_left
        thomas_solve(lower, diag.copy(), upper, rhs)
        u[:] = rhs
        history[k] = u.mean()

    return u, history


# ---- Poisson equation --------------------------------------------------------


def half_sweep(phi, rho, h, omega, colour):
    """Relax the interior nodes of one colour; writes into phi."""
    neighbours = phi[:-2, 1:-1] + phi[2:, 1:-1] + phi[1:-1, :-2] + phi[1:-1, 2:]
    inner = phi[1:-1, 1:-1]  # a view
    target = 0.25 * (neighbours - h * h * rho[1:-1, 1:-1])
    inner[colour] += omega * (target - inner)[colour]


def residual_norm(phi, rho, h):
    lap = phi[:-2, 1:-1] + phi[2:, 1:-1] + phi[1:-1, :-2] + phi[1:-1, 2:]
    lap = (lap - 4 * phi[1:-1, 1:-1]) / h**2
    return np.sqrt(np.mean((lap - rho[1:-1, 1:-1]) ** 2))


def relax_poisson(rho, boundary=None, tol=1e-6, omega=None):
    """Red-black SOR for laplace(phi) = rho on the unit square.

    The border of `boundary` gives the Dirichlet values (zero if None).
    """
    n = rho.shape[0]
    h = 1.0 / (n - 1)
    if omega is None:
        omega = 2.0 / (1.0 + np.sin(np.pi * h))  # optimal for this problem

    phi = np.zeros_like(rho)
    if boundary is not None:
        phi[0], phi[-1] = boundary[0], boundary[-1]
        phi[:, 0], phi[:, -1] = boundary[:, 0], boundary[:, -1]

    i, j = np.indices((n - 2, n - 2))
    red = (i + j) % 2 == 0
    start = residual_norm(phi, rho, h)
    if start == 0:
        return phi, 0

    sweeps = 0
    while residual_norm(phi, rho, h) > tol * start and sweeps < MAX_SWEEPS:
        half_sweep(phi, rho, h, omega, red)
        half_sweep(phi, rho, h, omega, ~red)
        sweeps += 1
    return phi, sweeps


# ---- gravity -----------------------------------------------------------------


def accelerations(pos: np.ndarray, mass: np.ndarray, soft: float) -> np.ndarray:
    delta = pos[None, :, :] - pos[:, None, :]  # delta[i, j] points from i to j
    r2 = (delta**2).sum(axis=-1) + soft**2
    return G * np.einsum("ijk,ij,j->ik", delta, r2**-1.5, mass)


def total_energy(pos, vel, mass, soft):
    kinetic = 0.5 * np.sum(mass * np.sum(vel**2, axis=1))
    i, j = np.triu_indices(len(mass), k=1)
    dist = np.sqrt(np.sum((pos[i] - pos[j]) ** 2, axis=1) + soft**2)
    return kinetic - G * np.sum(mass[i] * mass[j] / dist)


def leapfrog(
    pos: np.ndarray,
    vel: np.ndarray,
    mass: np.ndarray,
    dt: float = 0.01,
    n_steps: int = 100,
    soft: float = 0.05,
) -> dict[str, np.ndarray]:
    """Kick-drift-kick integration in the centre-of-mass frame."""
    pos = pos - np.average(pos, axis=0, weights=mass)
    vel = vel - np.average(vel, axis=0, weights=mass)

    energy = np.empty(n_steps + 1, dtype=pos.dtype)
    energy[0] = total_energy(pos, vel, mass, soft)
    acc = accelerations(pos, mass, soft)
    for step in range(n_steps):
        vel += 0.5 * dt * acc
        pos += dt * vel
        acc = accelerations(pos, mass, soft)
        vel += 0.5 * dt * acc
        energy[step + 1] = total_energy(pos, vel, mass, soft)

    return {"pos": pos, "vel": vel, "energy": energy}
