"""The contrast between two colors, as WCAG defines it."""

import numpy as np
from numpy.typing import NDArray

# What becomes of red, green and blue light for those who lack one kind of cone (Machado et al. 2009).
KINDS_OF_VISION = {
    "all cones": np.eye(3),
    "protanopia": np.array([[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]]),
    "deuteranopia": np.array([[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]]),
    "tritanopia": np.array([[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]]),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def luminance(color: str) -> float:
    red, green, blue = light(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def light(color: str) -> list[float]:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def perceived(color: str, seen: NDArray[np.float64]) -> tuple[float, float, float]:
    """The color in CIELAB, where distances roughly match perceived differences."""
    x, y, z = np.cbrt(TO_XYZ @ np.clip(seen @ light(color), 0, 1) / [0.9505, 1, 1.089])
    return float(116 * y - 16), float(500 * (x - y)), float(200 * (y - z))


def contrast(one: str, other: str) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)
