"""Programs that write into their arrays, step by step: an orbit, a sort, a game, and heat in a plate."""

import jax.numpy as jnp
import numpy as np
import torch

# Runge, Kutta and Fehlberg: where each slope is taken, and the weights of the fifth and fourth order.
STAGES = (
    (),
    (1 / 4,),
    (3 / 32, 9 / 32),
    (1932 / 2197, -7200 / 2197, 7296 / 2197),
    (439 / 216, -8.0, 3680 / 513, -845 / 4104),
    (-8 / 27, 2.0, -3544 / 2565, 1859 / 4104, -11 / 40),
)
FIFTH = (16 / 135, 0.0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55)
FOURTH = (25 / 216, 0.0, 1408 / 2565, 2197 / 4104, -1 / 5, 0.0)


def gravity(state):
    """How position and velocity (two numbers each) change on an orbit around the origin."""
    position, velocity = state[:2], state[2:]
    return np.concatenate([velocity, -position / np.sum(position**2) ** 1.5])


def orbit(state, duration, tolerance, limit=1000):
    """Follow an orbit for `duration`; returns the state, and how many steps were taken and refused.

    The step shrinks when the fourth and fifth order differ by more than `tolerance`, and grows else.
    """
    time, step = np.array(0.0), np.array(0.1)
    taken = refused = 0
    while time < duration and taken + refused < limit:
        step = np.minimum(step, duration - time)
        slopes = []
        for stage in STAGES:
            place = state.copy()
            for weight, slope in zip(stage, slopes):
                place += step * weight * slope
            slopes.append(gravity(place))
        fifth = sum(weight * slope for weight, slope in zip(FIFTH, slopes))
        fourth = sum(weight * slope for weight, slope in zip(FOURTH, slopes))
        error = step * np.max(np.abs(fifth - fourth))
        if error <= tolerance:
            time += step
            state = state + step * fifth
            taken += 1
        else:
            refused += 1
        step = step * np.clip(0.9 * (tolerance / (error + 1e-30)) ** 0.2, 0.2, 5.0)
    return state, taken, refused


def cocktail_sort(values):
    """Sort in place by swaps, to and fro, until a pass finds nothing to swap. Returns the number of swaps."""
    low, high = 0, len(values) - 1
    swaps = 0
    swapped = True
    while swapped:
        swapped = False
        for i in range(low, high):
            if values[i] > values[i + 1]:
                values[i], values[i + 1] = values[i + 1], values[i]
                swaps += 1
                swapped = True
        high -= 1
        for back in range(high - low):
            i = high - 1 - back
            if values[i] > values[i + 1]:
                values[i], values[i + 1] = values[i + 1], values[i]
                swaps += 1
                swapped = True
        low += 1
    return values, swaps


def life(board, limit):
    """Conway's game, until it stands still or blinks. Returns the board, its age, and a census."""
    before = torch.zeros_like(board)
    census = torch.zeros(limit + 1, dtype=torch.int64)
    for age in range(limit):
        census[age] = board.sum()
        neighbours = torch.zeros_like(board)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if (down, right) != (0, 0):
                    neighbours += torch.roll(board, (down, right), dims=(0, 1))
        after = torch.zeros_like(board)
        after[neighbours == 3] = 1
        after[(neighbours == 2) & (board == 1)] = 1
        if torch.all(after == board) or torch.all(after == before):
            return board, age, census
        before, board = board, after
    census[limit] = board.sum()
    return board, limit, census


def plate(temperature, held, tolerance=1e-4, limit=500):
    """The steady temperature of a plate whose cells in `held` are kept; returns it and the rounds it took."""
    for rounds in range(limit):
        middle = (
            temperature[:-2, 1:-1] + temperature[2:, 1:-1] + temperature[1:-1, :-2] + temperature[1:-1, 2:]
        ) / 4
        new = temperature.at[1:-1, 1:-1].set(jnp.where(held[1:-1, 1:-1], temperature[1:-1, 1:-1], middle))
        change = jnp.max(jnp.abs(new - temperature))
        if jnp.isnan(change):
            return temperature, -1
        temperature = new
        if change < tolerance:
            break
    return temperature, rounds


def inputs():
    """For each program, arguments that take every way through it."""
    random = np.random.default_rng(0)
    soup = (torch.rand(8, 8, generator=torch.Generator().manual_seed(0)) > 0.6).int()
    blinker = torch.zeros(5, 5, dtype=torch.int32)
    blinker[2, 1:4] = 1
    block = torch.zeros(6, 6, dtype=torch.int32)
    block[2:4, 2:4] = 1

    hot = jnp.zeros((6, 7)).at[0].set(1.0)
    held = jnp.zeros((6, 7), dtype=bool).at[3, 3].set(True)
    return {
        orbit: [
            (np.array([1.0, 0.0, 0.0, 1.0]), 3.0, 1e-8),
            (np.array([1.0, 0.0, 0.0, 0.3]), 3.0, 1e-6),
            (np.array([1.0, 0.0, 0.0, 1.0]), 0.0, 1e-8),
            (np.array([1.0, 0.0, 0.0, 1.0]), 3.0, 1e-7, 5),
        ],
        cocktail_sort: [
            (random.permutation(9).astype(float),),
            (np.arange(4.0),),
            (np.array([3.0, 1.0, 3.0, 2.0, 1.0]),),
            (np.array([5.0]),),
        ],
        life: [(soup, 12), (blinker, 10), (block, 10), (soup, 1)],
        plate: [
            (hot, held),
            (hot, held, 1e-3, 3),
            (hot.at[2, 2].set(jnp.nan), held),
            (jnp.ones((4, 4)), held[:4, :4]),
        ],
    }


if __name__ == "__main__":
    for program, arguments in inputs().items():
        print(program.__name__, *program(*arguments[0]), sep="\n", end="\n\n")
