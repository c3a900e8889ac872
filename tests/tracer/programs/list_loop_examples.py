"""The programs of list_loop_programs.py with what they are called with."""

from __future__ import annotations

import jax.numpy as jnp
import list_loop_programs as p
import list_loop_tensors as tensors
import numpy as np
import torch


def a(*shape, seed=0, dtype=np.float64):
    return np.random.default_rng([seed, *shape]).normal(size=shape).astype(dtype)


def several(make, *shape, n=3, **options):
    return [make(a(*shape, seed=i, **options)) for i in range(n)]


def examples():
    """All of them by name: function, arguments."""
    return of_arrays() | of_layers() | of_other_frameworks()


def of_arrays():
    """Those that go through arrays alone."""
    ws, vectors, ints = several(np.asarray, 4, 4), several(np.asarray, 4), [np.arange(4), np.arange(4) * 2]
    x, m = a(4), a(5, 4)
    return {
        "dicts_without": (p.dicts, (m, [{"w": a(4, 4), "b": None}] * 2)),
        "helped_with_all": (p.helped_with_all, (m, ws)),
        "summed": (p.summed, (ws,)),
        "summed_ints": (p.summed, (ints,)),
        "counted": (p.counted, (vectors,)),
        "decayed": (p.decayed, (x, vectors)),
        "first_is_other": (p.first_is_other, (x, vectors)),
        "begun_with_none": (p.begun_with_none, (vectors,)),
        "begun_with_the_first": (p.begun_with_the_first, (vectors,)),
        "best_by_if": (p.best_by_if, (vectors,)),
        "accumulated_into_the_first": (p.accumulated_into_the_first, (vectors,)),
        "accumulated_into_another": (p.accumulated_into_another, (x, vectors)),
        "items_written": (p.items_written, (vectors,)),
        "parts_of_items_written": (p.parts_of_items_written, (vectors,)),
        "last_written_later": (p.last_written_later, (vectors,)),
        "view_of_item_written_later": (p.view_of_item_written_later, (vectors,)),
        "collected": (p.collected, (x, vectors)),
        "collected_and_stacked": (p.collected_and_stacked, (ws,)),
        "items_collected": (p.items_collected, (vectors,)),
        "skipped": (p.skipped, (x, vectors)),
        "left_early": (p.left_early, (x, vectors)),
        "left_by_data": (p.left_by_data, (x, vectors)),
        "returned_early": (p.returned_early, (x, vectors)),
        "otherwise": (p.otherwise, (x, vectors)),
        "zipped": (p.zipped, (vectors, vectors[::-1])),
        "zipped_unequal": (p.zipped, (vectors, vectors[:2])),
        "zipped_with_rows": (p.zipped_with_rows, (a(3, 4), vectors)),
        "zipped_with_a_count": (p.zipped_with_a_count, (x, vectors)),
        "counted_from_one": (p.counted_from_one, (x, vectors)),
        "backwards": (p.backwards, (m, ws)),
        "all_but_the_last": (p.all_but_the_last, (m, ws)),
        "by_index": (p.by_index, (x, vectors)),
        "nested_lists": (p.nested_lists, (x, [vectors[:2], vectors[1:]])),
        "pairs_of": (p.pairs_of, (vectors,)),
        "twice_through": (p.twice_through, (vectors,)),
        "made_here": (p.made_here, (x,)),
        "made_of_slices": (p.made_of_slices, (x,)),
        "written_while_gone_through": (p.written_while_gone_through, (x,)),
        "length_decides": (p.length_decides, (x, vectors)),
        "unused_items": (p.unused_items, (x, vectors)),
        "name_after_the_loop": (p.name_after_the_loop, (x, vectors)),
        "ranks_decide": (p.ranks_decide, (m, ws)),
        "dtypes_decide": (p.dtypes_decide, (x, vectors)),
        "grows": (p.grows, (x, vectors)),
        "means_of": (p.means_of, (vectors,)),
        "in_a_dict": (p.in_a_dict, ({"w": ws, "b": vectors, "out": a(4, 2)}, m)),
        "many": (p.many, (x, *vectors)),
    }


def of_layers():
    """Those that go through tuples and dicts of arrays."""
    mlp = [(a(*size), a(size[1])) for size in [(2, 4), (4, 4), (4, 3)]]
    square = [(a(4, 4), a(4)) for _ in range(3)]
    layers = [{"w": a(4, 4, seed=i), "b": a(4, seed=i)} for i in range(2)]
    x, m = a(4), a(5, 4)
    return {
        "layered": (p.layered, (a(5, 2), mlp)),
        "last_is_linear": (p.last_is_linear, (a(5, 2), mlp)),
        "layers_of_one_size": (p.layered, (a(5, 4), square)),
        "one_layer": (p.layered, (a(5, 4), square[:1])),
        "dicts": (p.dicts, (m, layers)),
        "helped": (p.helped, (m, layers)),
        "dicts_collected": (p.dicts_collected, (layers,)),
        "item_changed": (p.item_changed, (layers,)),
        "item_gains": (p.item_gains, (layers, x)),
        "tied": (p.layered, (a(5, 4), square[:1] * 3)),
        "of_a_tuple": (p.layered, (a(5, 4), tuple(square))),
    }


def of_other_frameworks():
    """Those that are written for torch and JAX."""
    torches = [torch.from_numpy(a(4, dtype=np.float32)) for _ in range(3)]
    heads = [{"qkv": torch.from_numpy(a(4, 12, seed=i, dtype=np.float32))} for i in range(2)]
    tx = torch.from_numpy(a(3, 4, dtype=np.float32))
    jx, js = jnp.asarray(a(5, 4, dtype=np.float32)), several(jnp.asarray, 4, 4, dtype=np.float32)

    def torch_copy(values):
        return [value.clone() for value in values]

    return {
        "attend": (tensors.attend, (tx, heads)),
        "attend_masked": (tensors.attend, (tx, heads, torch.ones(3, 3))),
        "momentum": (tensors.momentum, (torches, torch_copy(torches), torch_copy(torches))),
        "norm_of": (tensors.norm_of, (torches,)),
        "clipped": (tensors.clipped, (torches,)),
        "residual": (tensors.residual, (jx, js)),
        "scanned_inside": (tensors.scanned_inside, (jx[0], js)),
    }
