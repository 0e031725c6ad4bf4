"""What a sample says of the whole: means with their errors, shares with their intervals."""

from __future__ import annotations

import math
from collections.abc import Mapping

NORMAL = 1.959963984540054  # standard errors to either side, between which 95 % of a normal distribution lie


def error(total: int, squares: int, count: int) -> float | None:
    """The standard error of a mean, from the sum and the sum of squares; None of a single value."""
    if count < 2:
        return None
    return math.sqrt(max(0.0, squares - total**2 / count) / (count - 1) / count)


def share(count: int, of: int) -> Mapping[str, float]:
    """A share with its interval by Wilson: where the true share lies, with 95 % confidence."""
    z = NORMAL
    found, middle, spread = count / of, count + z * z / 2, z * math.sqrt(count * (of - count) / of + z * z / 4)
    # Rounding may not put the share itself outside.
    return {
        "share": found,
        "low": max(0.0, min(found, (middle - spread) / (of + z * z))),
        "high": max(found, min(1.0, (middle + spread) / (of + z * z))),
    }
