"""Round-to-nearest quantisation in blocks along a row.

`search` picks each block's scale for least squared error. Weights trained under fake quantisation keep the scale
they were trained with, the extreme value over -half: any other moves them off their grid.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
# Shrinking the range clips the largest weight a little and rounds all others finer; 0.75 is never best in practice.
SHRINK = np.linspace(1.0, 0.76, 13)


def quantise(weight: Array, bits: int, block: int, *, search: bool = True) -> tuple[Array, Array]:
    """(levels as uint8 around 2^(bits-1), scales that fp16 holds), both with a row for every row of `weight`."""
    rows, columns = weight.shape
    blocks = weight.astype(np.float32).reshape(-1, block)
    scale = extreme_scale(blocks, bits)
    if search and bits < 8:
        scale = best_scale(blocks, bits, scale)
    half = 1 << (bits - 1)
    levels = np.clip(np.rint(blocks / scale[:, None]), -half, half - 1) + half
    return levels.astype(np.uint8).reshape(rows, columns), round_half(scale).reshape(rows, columns // block)


def extreme_scale(blocks: Array, bits: int) -> Array:
    """The scale that puts the extreme value of each block at level -half."""
    extreme = np.take_along_axis(blocks, np.abs(blocks).argmax(axis=1)[:, None], axis=1)[:, 0]
    return np.where(extreme == 0, 1.0, extreme / -(1 << (bits - 1))).astype(np.float32)


def best_scale(blocks: Array, bits: int, full: Array) -> Array:
    """For every block, the scale among a few below the full one whose rounding error is least."""
    half = 1 << (bits - 1)
    best, least = full, np.full(len(blocks), np.inf, np.float32)
    for shrink in SHRINK:
        scale = round_half(full * np.float32(shrink))
        error = ((np.clip(np.rint(blocks / scale[:, None]), -half, half - 1) * scale[:, None] - blocks) ** 2).sum(1)
        best, least = np.where(error < least, scale, best), np.minimum(error, least)
    return best


def round_half(scale: Array) -> Array:
    """Scales as fp16 can hold them (they are stored so), never zero."""
    half = scale.astype(np.float16)
    half[half == 0] = np.float16(6e-8)  # the least fp16 above zero
    return half.astype(np.float32)


def dequantise(levels: Array, scale: Array, bits: int) -> Array:
    """The weights a runtime sees."""
    rows, columns = levels.shape
    centred = levels.astype(np.float32) - (1 << (bits - 1))
    return (centred.reshape(rows, scale.shape[1], -1) * scale[:, :, None]).reshape(rows, columns)


def pack(levels: Array, bits: int, block: int) -> Array:
    """MatMulNBits' layout: [rows, blocks, block * bits / 8], the earlier of two 4-bit levels in the low half."""
    if bits == 4:
        levels = levels[:, 0::2] | (levels[:, 1::2] << 4)
    return np.ascontiguousarray(levels.reshape(levels.shape[0], -1, block * bits // 8))


def unpack(packed: Array, bits: int) -> Array:
    """The levels of `pack`, a row for every row."""
    rows = packed.reshape(len(packed), -1)
    return np.stack((rows & 15, rows >> 4), axis=2).reshape(len(rows), -1) if bits == 4 else rows
