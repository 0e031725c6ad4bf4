"""What was known to be right is still so, and every rule file has its golden files. To accept a change: python -m tests.golden"""

from __future__ import annotations

import pytest

from tests import golden
from tests.games import VARIANTS


@pytest.mark.parametrize("count", golden.counts(), ids=lambda count: f"{count.rules} {count.options} {count.seats}".replace("  ", " "))
def test_as_many_positions_as_before(count: golden.Count) -> None:
    assert count.counted() == count.nodes


def test_positions_are_counted_for_every_rule_file() -> None:
    assert set(VARIANTS) <= {count.rules for count in golden.counts()}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_same_deal_as_before(name: str) -> None:
    path = golden.deal_of(name)
    assert golden.replayed(path) == path.read_text("utf-8")
