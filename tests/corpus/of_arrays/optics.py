"""Light two ways: a scalar wave on a grid, and rays hitting spheres."""

import jax.numpy as jnp
from jax import lax

COURANT = 0.5  # below 1 / sqrt(2)
SPONGE = 4  # width of the absorbing border, in cells
T_MIN = 1e-3  # rays start slightly off the surface
SKY = (0.55, 0.70, 0.95)
AMBIENT = 0.1


def laplacian(u):
    up = jnp.roll(u, 1, axis=0) + jnp.roll(u, -1, axis=0)
    side = jnp.roll(u, 1, axis=1) + jnp.roll(u, -1, axis=1)
    return up + side - 4.0 * u


def sponge(shape, strength=0.15):
    """Damping mask: one inside, falling off towards the border."""
    rows = jnp.arange(shape[0])[:, None]
    cols = jnp.arange(shape[1])[None, :]
    edge = jnp.minimum(
        jnp.minimum(rows, shape[0] - 1 - rows),
        jnp.minimum(cols, shape[1] - 1 - cols),
    )
    depth = jnp.maximum(SPONGE - edge, 0) / SPONGE
    return 1.0 - strength * depth**2


def propagate(index, source, n_steps=60, period=12.0):
    """March a wave through a medium with refractive index `index` (H, W).

    `source` is the (row, col) of a point that oscillates. Returns the last
    field and the mean intensity after each step.
    """
    speed2 = (COURANT / index) ** 2
    mask = sponge(index.shape)
    row, col = source

    def body(i, state):
        prev, cur, intensity = state
        nxt = 2.0 * cur - prev + speed2 * laplacian(cur)
        drive = jnp.sin(2 * jnp.pi * i / period)
        ramp = jnp.minimum(1.0, i / period)  # soft start
        nxt = nxt.at[row, col].add(ramp * drive)

        # borders are dark
        nxt = nxt.at[0, :].set(0.0).at[-1, :].set(0.0)
        nxt = nxt.at[:, 0].set(0.0).at[:, -1].set(0.0)
        intensity = intensity.at[i].set(jnp.mean(nxt**2))
        return cur * mask, nxt * mask, intensity

    zero = jnp.zeros_like(index)
    init = (zero, zero, jnp.zeros(n_steps, dtype=index.dtype))
    _, field, intensity = lax.fori_loop(0, n_steps, body, init)
    return field, intensity


def normalize(v, eps=1e-8):
    return v / (jnp.linalg.norm(v, axis=-1, keepdims=True) + eps)


def hit_distances(origins, directions, centers, radii):
    """Distance along every ray (N) to every sphere (S), inf for a miss."""
    oc = origins[:, None, :] - centers[None, :, :]
    b = jnp.einsum("nsk,nk->ns", oc, directions)
    c = jnp.sum(oc * oc, axis=-1) - radii[None, :] ** 2
    disc = b**2 - c

    root = jnp.sqrt(jnp.maximum(disc, 0.0))
    near, far = -b - root, -b + root
    t = jnp.where(near > T_MIN, near, far)
    return jnp.where((disc > 0) & (t > T_MIN), t, jnp.inf)


def shade(origins, directions, scene, light, shininess=32.0, fog=None):
    """Colours (N, 3) of a bundle of rays: diffuse, specular, hard shadows."""
    directions = normalize(directions)
    light = normalize(light)
    centers, radii = scene["centers"], scene["radii"]

    t = hit_distances(origins, directions, centers, radii)
    which = jnp.argmin(t, axis=1)
    t = t.min(axis=1)
    hit = jnp.isfinite(t)
    t = jnp.where(hit, t, 0.0)  # keeps misses finite

    points = origins + t[:, None] * directions
    normals = normalize(points - centers[which])
    facing = jnp.maximum(normals @ light, 0.0)
    to_light = jnp.broadcast_to(light, points.shape)
    blocked = hit_distances(points + T_MIN * normals, to_light, centers, radii)
    lit = jnp.where(jnp.isinf(blocked).all(axis=1), facing, 0.0)

    # Blinn-Phong highlight
    half = normalize(light - directions)
    cos_half = jnp.maximum(jnp.sum(normals * half, axis=-1), 0.0)
    spec = jnp.where(lit > 0, cos_half**shininess, 0.0)
    color = scene["colors"][which] * (AMBIENT + lit)[:, None] + 0.5 * spec[:, None]

    sky = jnp.array(SKY)
    if fog is not None:
        keep = jnp.exp(-fog * t)[:, None]
        color = keep * color + (1 - keep) * sky
    return jnp.clip(jnp.where(hit[:, None], color, sky), 0.0, 1.0)
