"""Physics, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import numpy as np

EXAMPLES = {
    "image": np.arange(30.0).reshape(5, 6) % 7,
    "place": np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]]),
    "speed": np.array([[0.0, 0.5], [0.0, -0.5], [0.25, 0.0]]),
    "mass": np.array([2.0, 1.0, 0.5]),
    "dt": 0.125,
    "steps": 3,
    "u": np.array([0.0, 1.0, 4.0, 2.0, 1.0, 0.0]),
}


def n_body(place, speed, mass, dt, steps):
    """Leapfrog, with softened gravity."""
    place = place.copy()
    speed = speed.copy()
    n = len(mass)

    def forces(p):
        f = np.zeros_like(p)
        for i in range(n):
            for j in range(n):
                if i != j:
                    gap = p[j] - p[i]
                    r2 = (gap**2).sum() + 0.0625
                    f[i] += mass[j] * gap / (r2 * np.sqrt(r2))
        return f

    pull = forces(place)
    for _ in range(steps):
        speed += 0.5 * dt * pull
        place += dt * speed
        pull = forces(place)
        speed += 0.5 * dt * pull
    momentum = (mass[:, None] * speed).sum(0)
    kinetic = 0.5 * (mass * (speed**2).sum(1)).sum()
    return place, speed, momentum, kinetic


def pendulum_by_runge_kutta(dt, steps):
    """Fourth order."""
    state = np.array([1.0, 0.0])

    def rate(s):
        return np.array([s[1], -np.sin(s[0])])

    path = [state]
    energies = []
    for _ in range(steps):
        k1 = rate(state)
        k2 = rate(state + 0.5 * dt * k1)
        k3 = rate(state + 0.5 * dt * k2)
        k4 = rate(state + dt * k3)
        state = state + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path.append(state)
        energies.append(0.5 * state[1] ** 2 - np.cos(state[0]))
    path = np.stack(path)
    drift = max(energies) - min(energies)
    turned = 0
    for a, b in zip(path[:-1], path[1:]):
        if a[1] * b[1] < 0:
            turned += 1
    return path, drift, turned


def heat_implicit(u, dt, steps):
    """Backward Euler with a tridiagonal solve."""
    n = len(u)
    r = dt * 4
    for _ in range(steps):
        c = np.zeros(n)
        d = np.zeros(n)
        c[0] = -r / (1 + 2 * r)
        d[0] = u[0] / (1 + 2 * r)
        for i in range(1, n):
            m = 1 + 2 * r + r * c[i - 1]
            c[i] = -r / m
            d[i] = (u[i] + r * d[i - 1]) / m
        new = np.zeros(n)
        new[-1] = d[-1]
        for i in range(n - 2, -1, -1):
            new[i] = d[i] - c[i] * new[i + 1]
        u = new
    total = u.sum()
    return u, total, u.argmax()


def wave_equation(u, dt, steps):
    """Two buffers that change places."""
    c2 = (dt * 2) ** 2
    old = u.copy()
    now = u.copy()
    now[1:-1] = u[1:-1] + 0.5 * c2 * (u[2:] - 2 * u[1:-1] + u[:-2])
    record = [old.copy(), now.copy()]
    for _ in range(steps):
        new = np.zeros_like(now)
        new[1:-1] = 2 * now[1:-1] - old[1:-1] + c2 * (now[2:] - 2 * now[1:-1] + now[:-2])
        old = now
        now = new
        record.append(now.copy())
    film = np.stack(record)
    energy = ((now - old) ** 2).sum() / c2
    highest = film.max(axis=1)
    when = highest.argmax()
    return film, energy, when


def advection_upwind(u, dt, steps):
    """The wind changes its direction."""
    n = len(u)
    u = u.copy()
    left = 0
    for step in range(steps):
        wind = 1.0 if step % 2 == 0 else -1.0
        flux = np.zeros(n + 1)
        for i in range(1, n):
            if wind > 0:
                flux[i] = wind * u[i - 1]
            else:
                flux[i] = wind * u[i]
        u -= dt * (flux[1:] - flux[:-1])
        if wind < 0:
            left += 1
    mass = u.sum()
    centre = (u * np.arange(n)).sum() / np.maximum(mass, 1e-9)
    return u, mass, centre, left


def lotka_volterra(dt, steps):
    """Foxes and rabbits, until one of them is gone."""
    rabbits, foxes = 10.0, 5.0
    path = []
    gone = -1
    for step in range(steps * 4):
        born = 1.0 * rabbits
        eaten = 0.1 * rabbits * foxes
        fed = 0.075 * rabbits * foxes
        died = 1.5 * foxes
        rabbits = rabbits + dt * (born - eaten)
        foxes = foxes + dt * (fed - died)
        path.append((rabbits, foxes))
        if rabbits < 1 or foxes < 1:
            gone = step
            break
    most = max(p[0] for p in path)
    least = min(p[1] for p in path)
    return rabbits, foxes, most, least, gone


def ising_energy(image):
    """Spins on a torus, and one sweep that lowers the energy."""
    spins = np.where(image > 3, 1.0, -1.0)
    rows, columns = spins.shape
    energy = -(spins * np.roll(spins, 1, 0)).sum() - (spins * np.roll(spins, 1, 1)).sum()
    flips = 0
    for i in range(rows):
        for j in range(columns):
            around = (
                spins[(i + 1) % rows, j] + spins[i - 1, j] + spins[i, (j + 1) % columns] + spins[i, j - 1]
            )
            change = 2 * spins[i, j] * around
            if change < 0:
                spins[i, j] = -spins[i, j]
                energy += change
                flips += 1
    return spins, energy, flips, spins.mean()


def lorenz(dt, steps):
    """Heun's method on plain numbers."""
    x, y, z = 1.0, 1.0, 1.0
    dt = dt / 16
    track = np.zeros((steps, 3))

    def rates(a, b, c):
        return 10 * (b - a), a * (28 - c) - b, a * b - 8 / 3 * c

    for step in range(steps):
        dx, dy, dz = rates(x, y, z)
        px, py, pz = x + dt * dx, y + dt * dy, z + dt * dz
        ex, ey, ez = rates(px, py, pz)
        x += dt * (dx + ex) / 2
        y += dt * (dy + ey) / 2
        z += dt * (dz + ez) / 2
        track[step, 0] = x
        track[step, 1] = y
        track[step, 2] = z
    return track, track.mean(0)
