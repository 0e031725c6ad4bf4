"""What a seat sees of a state at one moment, without memory: the same flat list, in which what he does not see is left out.

A set of cards is the mask of those that he sees, or minus the number of them where he sees none. Of a stack the size stays, and of a row
of piles the heights; each card in them that he does not see is -1. The mask of all cards of a row is one like that of a set, and the kept
mask of the cards of its ranks is that of the ranks he sees. What lies face down where others lie open is seen by nobody, and the place of
such cards has minus their number. The picks of a move under way are seen by who makes it; to the others the next choice is still that of
its phase. Places that hold nothing now are 0, and so is the source of chance. All else is public and stays: who acts, variables, which
seats hold cards, which piles are how high. Cards are numbers, copies and all: of a game of several packs the look of a card is its number
// copies.

The functions that do it are taken over by `native` from this text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from durak_dsl.compiler.choices import Node
from durak_dsl.compiler.layout import ACTOR, CHANCE, FACE_DOWN, FIRST_FREE, NODE, PICKED, SEATS, Layout
from durak_dsl.compiler.runtime import State, spread_ranks
from durak_dsl.compiler.several import FoldedMove, card_by_card

SET, STACK, ROW = range(3)
NOBODY, OWNER, ALL = range(3)
KINDS = {"set": SET, "stack": STACK, "row": ROW}
EYES = {"nobody": NOBODY, "owner": OWNER, "all": ALL}

# Of each zone its kind, where it begins, its width, whether each seat has one, who sees it, its bounds, its kept ranks (0: none), and
# how many cards a rank has.
Zones: TypeAlias = tuple[tuple[int, ...], ...]
# Of each node of choices the phase, and how many picks its actor has begun.
Nodes: TypeAlias = tuple[tuple[int, ...], ...]


def zones_of(layout: Layout) -> Zones:
    """What `hide` has to know of the zones."""
    rules, found = layout.rules, []
    alike = len(rules.deck.suits) * rules.deck.copies
    for name, zone in rules.zones.items():
        place = KINDS[zone.kind], layout.zones[name], layout.width(zone), int(zone.each), EYES[zone.seen]
        found.append((*place, zone.most, zone.high, layout.ranks.get(name, 0), alike))
    return tuple(found)


def nodes_of(nodes: Sequence[Node], moves: Mapping[str, FoldedMove], phases: Sequence[str]) -> Nodes:
    """What `hide` has to know of the nodes: the first are those of the phases."""
    found = [(number, 0) for number in range(len(phases))]
    for node in nodes[len(phases) :]:
        pick = moves[node.segments[0].move].picks[node.pick]
        found.append((phases.index(node.phase), node.pick + card_by_card(pick)))
    return tuple(found)


def hide(s: State, seat: int, zones: Zones, nodes: Nodes) -> None:
    """Leave out of a state what that seat does not see."""
    s[CHANCE] = 0
    node = s[NODE]
    made = 0
    if node >= 0:
        if s[ACTOR] == seat:
            made = nodes[node][1]
        else:
            s[NODE] = nodes[node][0]
    for place in range(PICKED + made, FIRST_FREE):
        s[place] = 0
    down = s[FACE_DOWN]
    closed = 0
    for kind, base, width, each, seen, most, high, ranks, alike in zones:
        for owner in range(s[SEATS] if each else 1):
            unseen = down if seen == ALL else 0 if seen == OWNER and owner == seat else -1
            begin = base + owner * width
            if kind == SET:
                hidden = hide_set(s, begin, unseen)
            elif kind == STACK:
                hidden = hide_stack(s, begin, most, unseen)
            else:
                hidden = hide_row(s, begin, most, high, unseen, ranks, alike)
            if seen == ALL:
                closed += hidden
    s[FACE_DOWN] = -closed


def hide_set(s: State, place: int, unseen: int) -> int:
    """Leave out of a set the cards that are unseen; how many."""
    hidden = (s[place] & unseen).bit_count()
    seen = s[place] & ~unseen
    s[place] = seen if seen else -hidden
    return hidden


def hide_stack(s: State, base: int, most: int, unseen: int) -> int:
    """Leave out of a stack the cards that are unseen; how many."""
    seen = hide_cards(s, base + 1, s[base], most, unseen)
    return s[base] - seen.bit_count()


def hide_row(s: State, base: int, most: int, high: int, unseen: int, ranks: int, alike: int) -> int:
    """Leave out of a row the cards that are unseen; how many."""
    heights, cards = base + 2, base + 2 + most
    seen = count = 0
    for pile in range(most):
        height = s[heights + pile] if pile < s[base] else 0
        s[heights + pile] = height
        seen |= hide_cards(s, cards + pile * high, height, high, unseen)
        count += height
    hidden = count - seen.bit_count()
    if hidden:
        s[base + 1] = seen if seen else -hidden
        if ranks:
            s[ranks] = spread_ranks(seen, alike)
    return hidden


def hide_cards(s: State, first: int, count: int, most: int, unseen: int) -> int:
    """Leave out of cards in order, for which there are that many places at most, those that are unseen; the set of the others."""
    seen = 0
    for place in range(first, first + count):
        card = s[place]
        if unseen >> card & 1:
            s[place] = -1
        else:
            seen |= 1 << card
    for place in range(first + count, first + most):
        s[place] = 0
    return seen
