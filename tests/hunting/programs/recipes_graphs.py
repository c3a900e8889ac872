"""Graphs and games, of twenty lines and more, for NumPy."""

# mypy: disable-error-code="no-untyped-def"
from __future__ import annotations

import math

import numpy as np

EXAMPLES = {
    "graph": np.array(
        [[0.0, 4.0, 1.0, 0.0], [4.0, 0.0, 2.0, 5.0], [1.0, 2.0, 0.0, 8.0], [0.0, 5.0, 8.0, 0.0]]
    ),
    "links": np.array([[0, 1, 1, 0], [0, 0, 1, 0], [1, 0, 0, 1], [0, 0, 0, 0]]),
    "board": np.array([[0, 1, 0, 0], [0, 1, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]),
    "capacity": 6,
    "coins": [1, 3, 4],
    "steps": 3,
}


def floyd_warshall(graph):
    """All shortest ways."""
    n = graph.shape[0]
    dist = np.where(graph > 0, graph, np.inf)
    for i in range(n):
        dist[i, i] = 0.0
    for k in range(n):
        for i in range(n):
            for j in range(n):
                through = dist[i, k] + dist[k, j]
                if through < dist[i, j]:
                    dist[i, j] = through
    longest = 0.0
    for i in range(n):
        far = dist[i].max()
        if far > longest:
            longest = far
    closeness = 1 / dist.sum(axis=1)
    middle = closeness.argmax()
    return dist, longest, middle


def floyd_at_once(graph):
    """The same by whole rows, with the next stop."""
    n = len(graph)
    dist = np.where(graph > 0, graph, 1e9)
    np.fill_diagonal(dist, 0)
    stop = np.tile(np.arange(n), (n, 1))
    for k in range(n):
        through = dist[:, k : k + 1] + dist[k : k + 1, :]
        better = through < dist
        dist = np.where(better, through, dist)
        stop = np.where(better, stop[:, k : k + 1], stop)
    route = [0]
    here = 0
    for _ in range(n):
        if here == n - 1:
            break
        here = int(stop[here, n - 1])
        route.append(here)
    total = dist[0, n - 1]
    return dist, len(route), total


def dijkstra(graph):
    """From the first node, by search for the nearest."""
    n = graph.shape[0]
    dist = np.full(n, np.inf)
    dist[0] = 0.0
    done = np.zeros(n, dtype=bool)
    before = np.full(n, -1)
    for _ in range(n):
        best = np.inf
        node = -1
        for i in range(n):
            if not done[i] and dist[i] < best:
                best = dist[i]
                node = i
        if node < 0:
            break
        done[node] = True
        for j in range(n):
            if graph[node, j] > 0:
                new = dist[node] + graph[node, j]
                if new < dist[j]:
                    dist[j] = new
                    before[j] = node
    return dist, before, done.all()


def prim(graph):
    """A tree of the least weight."""
    n = graph.shape[0]
    inside = np.zeros(n, dtype=bool)
    inside[0] = True
    total = 0.0
    edges = []
    for _ in range(n - 1):
        best = np.inf
        a = b = 0
        for i in range(n):
            for j in range(n):
                if inside[i] and not inside[j] and graph[i, j] > 0:
                    if graph[i, j] < best:
                        best = graph[i, j]
                        a, b = i, j
        inside[b] = True
        total += best
        edges.append(a * 10 + b)
    degree = np.zeros(n)
    for e in edges:
        degree[e // 10] += 1
        degree[e % 10] += 1
    return total, degree


def breadth_first(links):
    """Levels, by a frontier of flags."""
    n = links.shape[0]
    level = np.full(n, -1)
    level[0] = 0
    frontier = np.zeros(n, dtype=bool)
    frontier[0] = True
    depth = 0
    while frontier.any():
        depth += 1
        reached = np.zeros(n, dtype=bool)
        for i in range(n):
            if frontier[i]:
                reached |= links[i] > 0
        frontier = reached & (level < 0)
        level[frontier] = depth
    count = (level >= 0).sum()
    total = 0
    for i in range(n):
        if level[i] > 0:
            total += level[i]
    return level, count, total


def page_rank(links, steps):
    """With damping, and pages without links."""
    n = links.shape[0]
    degree = links.sum(axis=1)
    rank = np.ones(n) / n
    changes = []
    for _ in range(steps):
        new = np.full(n, 0.15 / n)
        for i in range(n):
            if degree[i] == 0:
                new += 0.85 * rank[i] / n
            else:
                for j in range(n):
                    if links[i, j]:
                        new[j] += 0.85 * rank[i] / degree[i]
        changes.append(np.abs(new - rank).sum())
        rank = new
    order = np.argsort(-rank, kind="stable")
    return rank, order, changes[-1] < changes[0]


def hubs_and_authorities(links, steps):
    """Each from the other."""
    a = links.astype(float)
    n = len(a)
    hubs = np.ones(n)
    authorities = np.ones(n)
    for _ in range(steps):
        authorities = a.T @ hubs
        norm = math.sqrt((authorities**2).sum())
        if norm > 0:
            authorities = authorities / norm
        hubs = a @ authorities
        norm = math.sqrt((hubs**2).sum())
        if norm > 0:
            hubs = hubs / norm
    triangles = np.trace(a @ a @ a) / 3
    both = 0
    for i in range(n):
        for j in range(i):
            both += int(a[i, j] * a[j, i])
    return hubs, authorities, triangles, both


def topological_order(links):
    """Nodes without predecessors first; a circle ends it."""
    work = np.triu(links, 1)
    n = work.shape[0]
    order = []
    removed = np.zeros(n, dtype=bool)
    for _ in range(n):
        incoming = work.sum(axis=0)
        found = -1
        for i in range(n):
            if not removed[i] and incoming[i] == 0:
                found = i
                break
        if found < 0:
            break
        removed[found] = True
        work[found] = 0
        order.append(found)
    places = np.zeros(n)
    for position, node in enumerate(order):
        places[node] = position
    return places, len(order), removed.all()


def union_find(links):
    """Components, with paths made short."""
    n = links.shape[0]
    parent = np.arange(n)
    for i in range(n):
        for j in range(n):
            if links[i, j]:
                a = i
                while parent[a] != a:
                    a = parent[a]
                b = j
                while parent[b] != b:
                    b = parent[b]
                if a != b:
                    parent[a] = b
    roots = np.zeros(n, dtype=int)
    for i in range(n):
        a = i
        while parent[a] != a:
            a = parent[a]
        roots[i] = a
    sizes = np.zeros(n, dtype=int)
    for r in roots:
        sizes[r] += 1
    return (sizes > 0).sum(), sizes.max()


def life_on_a_torus(board, steps):
    """Until it stands still."""
    still = False
    turns = 0
    seen = []
    for _ in range(steps):
        around = np.zeros_like(board)
        for di in (-1, 0, 1):
            for dj in (-1, 0, 1):
                if di or dj:
                    around += np.roll(np.roll(board, di, axis=0), dj, axis=1)
        born = (board == 0) & (around == 3)
        stays = (board == 1) & ((around == 2) | (around == 3))
        new = np.where(born | stays, 1, 0)
        seen.append(new.sum())
        still = bool((new == board).all())
        board = new
        turns += 1
        if still:
            break
    return board, turns, still, max(seen)


def life_with_borders(board):
    """Cell by cell."""
    rows, columns = board.shape
    new = np.zeros_like(board)
    alive = 0
    for i in range(rows):
        for j in range(columns):
            count = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if di == 0 and dj == 0:
                        continue
                    r, c = i + di, j + dj
                    if 0 <= r < rows and 0 <= c < columns:
                        count += board[r, c]
            if board[i, j] == 1:
                new[i, j] = 1 if count == 2 or count == 3 else 0
            else:
                new[i, j] = 1 if count == 3 else 0
            alive += new[i, j]
    density = alive / (rows * columns)
    return new, alive, density


def flood_fill(board):
    """The free cells around the first corner."""
    rows, columns = board.shape
    filled = np.zeros((rows, columns), dtype=bool)
    filled[0, 0] = board[0, 0] == 0
    changed = True
    turns = 0
    while changed:
        changed = False
        turns += 1
        for i in range(rows):
            for j in range(columns):
                if board[i, j] or filled[i, j]:
                    continue
                near = False
                if i > 0:
                    near = near or filled[i - 1, j]
                if j > 0:
                    near = near or filled[i, j - 1]
                if i < rows - 1:
                    near = near or filled[i + 1, j]
                if near:
                    filled[i, j] = True
                    changed = True
    return filled, filled.sum(), turns


def sudoku_candidates(board):
    """A latin square of four: what may stand where."""
    n = board.shape[0]
    possible = np.ones((n, n, n), dtype=bool)
    for i in range(n):
        for j in range(n):
            digit = board[i, j]
            if digit > 0:
                possible[i, j] = False
                possible[i, :, digit - 1] = False
                possible[:, j, digit - 1] = False
                possible[i, j, digit - 1] = True
    counts = possible.sum(axis=2)
    least = n + 1
    row = column = -1
    for i in range(n):
        for j in range(n):
            if board[i, j] == 0 and counts[i, j] < least:
                least = counts[i, j]
                row, column = i, j
    return counts, least, row, column


def queens_attacked(board):
    """How many pairs attack each other."""
    n = board.shape[0]
    places = []
    for i in range(n):
        for j in range(n):
            places.append((i, j))
    attacks = 0
    for a in range(len(places)):
        for b in range(a):
            i, j = places[a]
            k, m = places[b]
            if i == k or j == m or i - j == k - m or i + j == k + m:
                attacks += board[i, j] * board[k, m]
    per_row = board.sum(1)
    per_column = board.sum(0)
    fair = True
    for r in per_row:
        if r > 1:
            fair = False
    return attacks, fair, per_column.max()


def nim_and_grundy(coins, capacity):
    """Who wins from which heap."""
    grundy = [0] * (capacity + 1)
    for heap in range(1, capacity + 1):
        reached = set()
        for coin in coins:
            if coin <= heap:
                reached.add(grundy[heap - coin])
        value = 0
        while value in reached:
            value += 1
        grundy[heap] = value
    total = 0
    for heap in range(capacity + 1):
        total ^= grundy[heap]
    losing = [heap for heap in range(capacity + 1) if grundy[heap] == 0]
    longest = 0
    run = 0
    for g in grundy:
        run = run + 1 if g else 0
        longest = max(longest, run)
    return grundy, total, len(losing), longest
