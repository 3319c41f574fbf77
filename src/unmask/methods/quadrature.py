"""Quadrature rules on [0, 1]: nodes, and weights that sum to 1."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from ..errors import check_known
from ..questions import Numbers
from .base import MOST, check_count

DENSE = 256  # up to this many nodes, compute them as eigenvalues of a matrix of that size
NEWTON = 3  # iterations; the first guess has three correct digits, and each iteration doubles their number
LEVELS = (3, 5, 9, 17, 33)  # number of nodes of each nested rule; refinement stops at the last


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """A quadrature rule: the integral of f is about Σ_k weights[k] * f(nodes[k])."""

    nodes: Numbers
    weights: Numbers


def summed(rule: str, steps: int) -> Sum:
    """The rule of that name with `steps` nodes."""
    check_known("rule", [rule], RULES)
    check_count("steps", steps, least=2 if rule == "trapezoid" else 1, most=MOST)
    return RULES[rule](steps)


@cache
def _gauss_legendre(steps: int) -> Sum:
    nodes, weights = np.polynomial.legendre.leggauss(steps) if steps <= DENSE else _by_newton(steps)
    return Sum((nodes + 1) / 2, weights / 2)


def _by_newton(steps: int) -> tuple[Numbers, Numbers]:
    """The nodes in [-1, 1]: roots of the Legendre polynomial, found by Newton's method in O(steps) memory.

    The iteration runs on the angle, x = cos(angle), because 1 - x^2 would lose half of its digits near the ends of the
    interval. Only half of the nodes are computed; the others follow by symmetry.
    """
    half = np.arange(1, (steps + 1) // 2 + 1)
    angles = np.pi * (4 * half - 1) / (4 * steps + 2)
    for _ in range(NEWTON):
        value, slope = _legendre(steps, angles)
        angles = angles - value / slope
    weights = 2 / _legendre(steps, angles)[1] ** 2
    nodes = np.cos(angles)
    mirrored = slice(steps // 2 - 1, None, -1)
    return np.concatenate([-nodes, nodes[mirrored]]), np.concatenate([weights, weights[mirrored]])


def _legendre(degree: int, angles: Numbers) -> tuple[Numbers, Numbers]:
    """The Legendre polynomial at cos(angles), and its derivative with respect to the angle."""
    cosines = np.cos(angles)
    before, value = np.ones_like(angles), cosines.copy()
    for k in range(2, degree + 1):
        before, value = value, ((2 * k - 1) * cosines * value - (k - 1) * before) / k
    return value, degree * (cosines * value - before) / np.sin(angles)


def _evenly(steps: int, *, shift: float) -> Sum:
    return Sum((np.arange(steps) + shift) / steps, np.full(steps, 1 / steps))


def _trapezoid(steps: int) -> Sum:
    weights = np.full(steps, 1.0 / (steps - 1))
    weights[[0, -1]] /= 2
    return Sum(np.linspace(0, 1, steps), weights)


RULES: dict[str, Callable[[int], Sum]] = {
    "gauss_legendre": _gauss_legendre,
    "riemann_left": lambda steps: _evenly(steps, shift=0.0),
    "riemann_right": lambda steps: _evenly(steps, shift=1.0),
    "riemann_middle": lambda steps: _evenly(steps, shift=0.5),
    "trapezoid": _trapezoid,
}


@cache
def refinements() -> tuple[Sum, ...]:
    """Nested Clenshaw-Curtis rules: the nodes each level adds, with the weight of each node per level, [levels, nodes].

    Every level contains the nodes of the previous one, so each gradient is computed once and weighted for all later
    levels. The weights for earlier levels are 0.
    """
    levels, steps = [clenshaw_curtis(count) for count in LEVELS], []
    for at, level in enumerate(levels):
        nodes = level.nodes[1::2] if at else level.nodes
        later = [one.weights[np.abs(one.nodes[:, None] - nodes).argmin(0)] for one in levels[at:]]
        steps.append(Sum(nodes, np.stack([*np.zeros((at, len(nodes))), *later])))
    return tuple(steps)


@cache
def clenshaw_curtis(count: int) -> Sum:
    """Nodes at the extrema of a Chebyshev polynomial, including both ends, in ascending order."""
    degree = count - 1
    angles = np.pi * np.arange(count) / degree
    nodes = (1 - np.cos(angles)) / 2
    frequencies = np.arange(1, degree // 2 + 1)
    factors = np.where(2 * frequencies == degree, 1.0, 2.0) / (4 * frequencies**2 - 1)
    weights = (1 - (factors * np.cos(2 * np.outer(angles, frequencies))).sum(-1)) / degree
    weights[[0, -1]] /= 2
    return Sum(nodes, weights)
